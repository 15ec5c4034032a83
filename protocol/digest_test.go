package protocol

import (
	"testing"
)

func TestMD5OfBody(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"hello":              "5d41402abc4b2a76b9719d911017c592",
		"a1":                 "8a8bb7cd343aa2ad99b7d762030857a2",
		"Zażółć":             "f1607cd9abc293d131af748f41dc9556",
		"a\r\nb":             "65d5f03c46e62e3f2babbe712d2ce464",
		`<a>&"'</a>`:         "d272f11d37883acbe615a88510a14bc0",
		"a+b c%20d&e=f":      "ae26cd911ea767c7cf6a5bdc4ded1eaa",
		"\u007f\u0080\u009f": "fcd82c11e3ccf6d09b20b7a8099f4cc9",
		"":                   "d41d8cd98f00b204e9800998ecf8427e",
	} {
		if got := MD5OfBody(body); got != want {
			t.Errorf("%q: got %s, want %s", body, got, want)
		}
	}
}

func TestMD5OfAttributes(t *testing.T) {
	t.Parallel()
	type attributes = map[string]MessageAttributeValue
	text := func(dataType, value string) MessageAttributeValue {
		return MessageAttributeValue{DataType: &dataType, StringValue: &value}
	}
	blob := func(value string) MessageAttributeValue {
		return MessageAttributeValue{DataType: new("Binary"), BinaryValue: []byte(value)}
	}
	for name, tc := range map[string]struct {
		attributes attributes
		want       string
	}{
		"None":        {nil, ""},
		"Empty":       {attributes{}, ""},
		"OneString":   {attributes{"color": text("String", "blue")}, "da1b33cc3cbfe8b1630921e78e6b9880"},
		"ThreeKinds":  {attributes{"color": text("String", "blue"), "count": text("Number", "3"), "blob": blob("\x01\x02\x03")}, "d838729972a4b70e2d2acd9d59ac847c"},
		"Number":      {attributes{"timestamp": text("Number", "1493147359900")}, "235c5c510d26fb653d073faed50ae77c"},
		"Sorted":      {attributes{"Help.Me": text("String", "Me"), "Hello": text("String", "There"), "General": text("String", "Kenobi")}, "4c360f3fdafd970e05fae2f149d997f5"},
		"MyAttribute": {attributes{"MyAttribute": text("String", "foobar")}, "adb59cd4678ea5a855436b949cd07ab6"},
		"System": {
			attributes{"AWSTraceHeader": text("String", "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1")},
			"5ae4d5d7636402d80f4eb6d213245a88",
		},
		"BinaryWithControls": {attributes{"attr1": blob("traceparent\x1e00-774062d6c37081a5a0b9b5b88e30627c-2d2482211f6489da-01")}, "8cbe4db156db8a94db8b801b7addb984"},
		"ShortNames":         {attributes{"k": text("String", "x")}, "a45daa70926828a2f0a1db3418e6feb4"},
		"LabelIsDigested":    {attributes{"timestamp": text("Number.java.lang.Long", "1493147359900")}, "2e2e4876d8e0bd6b8c2c8f556831c349"},
		"LabelledOne":        {attributes{"ts": text("Number.java.lang.Long", "1")}, "c87e5c97ccd59d6b9bd1aaeaf34b4aa6"},
		"LengthsAreBytes":    {attributes{"ключ": text("String", "значение")}, "8b94baa4455f6b416898e3a31f9c6792"},
		"OneNameBeginsOther": {attributes{"test-key": text("String", "test-value"), "test-key-alt": text("String", "test-value-alt")}, "2256c3b617e2b4b3ae4f2d455dcf54d0"},
		"TestKey":            {attributes{"test-key": text("String", "test-value")}, "befa18540a897f7d022bf07057754a03"},
		"FooBar":             {attributes{"Foo": text("String", "Bar")}, "ae7155c6026991b6d54b11589678bf9c"},
		"TwoOfThree":         {attributes{"Hello": text("String", "There"), "General": text("String", "Kenobi")}, "fca026605781cb4126a1e9044df24232"},
		"OneOfThree":         {attributes{"Hello": text("String", "There")}, "a311262e065454b75da111d535b8dacd"},
		"TwoOthersOfThree":   {attributes{"Hello": text("String", "There"), "Help.Me": text("String", "Me")}, "83fee93c1bcd8b9a5a923ffacdc636c7"},
		"ContentEncoding":    {attributes{"content-encoding": text("String", "lz4")}, "d5b1c8868f6406a7a6a8f4cebc4fcc94"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := MD5OfAttributes(tc.attributes); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

func TestValidText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"":                                   true,
		"plain":                              true,
		"\t\n\r":                             true,
		"\u0020\u007e\u007f\u0080":           true,
		"\ud7ff\ue000\ufffd":                 true,
		"\ufeff":                             true,
		"\U00010000\U0001fffe\U0010ffff":     true,
		"a\x00":                              false,
		"\x08":                               false,
		"\x0b":                               false,
		"\x0c":                               false,
		"\x0e":                               false,
		"\x13":                               false,
		"\x1f":                               false,
		"\ufffe":                             false,
		"a\uffff":                            false,
		"\xff":                               false,
		"\xed\xa0\x80":                       false,
		"\xf4\x90\x80\x80":                   false,
		"cut off \xe2\x82":                   false,
		"a long text with one bad \x01 byte": false,
	} {
		if got := ValidText(text); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}
