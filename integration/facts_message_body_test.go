package integration

import (
	"strings"
	"testing"
)

func TestFactsOfMessageBodies(t *testing.T) {
	const action = "SendMessage"
	var facts []fact
	for name, tt := range texts {
		facts = append(facts, fact{"ReceiveMessage", "BodyComesBack" + name, "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			sent := e.send(t, url, tt.body)
			got := e.receiveOne(t, url)
			digest := bodyDigest(tt.body)
			if tt.digest != "" && tt.digest != digest {
				t.Errorf("the table says %s, MD5 is %s", tt.digest, digest)
			}
			if *got.Body != tt.body || *sent.MD5OfMessageBody != digest || *got.MD5OfBody != digest || *sent.MessageId != *got.MessageId {
				t.Errorf("sent %q as %s %s, received %q as %s %s, want the digest %s", tt.body, *sent.MessageId, *sent.MD5OfMessageBody, *got.Body, *got.MessageId, *got.MD5OfBody, digest)
			}
			if sent.MD5OfMessageAttributes != nil || got.MD5OfMessageAttributes != nil || got.MessageAttributes != nil {
				t.Errorf("attributes came of nothing: %v", got.MessageAttributes)
			}
		}})
	}
	for name, c := range map[string]string{"U0000": "\x00", "U0008": "\x08", "U000B": "\x0b", "U0013": "\x13", "U001F": "\x1f", "UFFFE": "\ufffe", "UFFFF": "\uffff"} {
		facts = append(facts, refused(action, "BodyWith"+name, args{"MessageBody": "a" + c + "b"}, "InvalidMessageContents", badBody))
	}
	facts = append(
		facts,
		fact{action, "BodyWithALoneSurrogate", onlyJSON, func(t *testing.T, e *env) {
			e.world(t, action, args{})
			for _, body := range []string{`\ud83d`, `\ude80x`, `\ud83d\ud83d`} {
				if r := e.post(t, "/", jsonHeader(action), `{"QueueUrl":"q","MessageBody":"`+body+`"}`); r.Status != 400 || r.Code != "InvalidMessageContents" && r.Code != malformed {
					t.Errorf("%s: %d %s", body, r.Status, r.Code)
				}
			}
			e.wantCounts(t, "q", counts{"0", "0", "0"})
		}},
		fact{action, "BodyWithASurrogatePair", onlyJSON, func(t *testing.T, e *env) {
			e.world(t, action, args{})
			e.post(t, "/", jsonHeader(action), `{"QueueUrl":"q","MessageBody":"\ud83d\ude80"}`).wantOK(t)
			wantBodies(t, e.receive(t, "q"), "🚀")
		}},
	)
	runFacts(t, facts)
}

// What counts towards the size of a message, on a queue that takes 1024 bytes.
func TestFactsOfMessageSize(t *testing.T) {
	const action = "SendMessage"
	sized := func(name string, n int, with map[string]args, fits bool) fact {
		return bodySized(name, strings.Repeat("x", n), with, fits)
	}
	one := func(a args) map[string]args { return map[string]args{"k": a} }
	runFacts(t, []fact{
		sized("Exact", 1024, nil, true), sized("OneMore", 1025, nil, false),
		bodySized("TwoByteCharacters", strings.Repeat("é", 512), nil, true), bodySized("TwoByteCharactersOneMore", strings.Repeat("é", 512)+"x", nil, false),
		bodySized("FourByteCharacters", strings.Repeat("🚀", 256), nil, true), bodySized("FourByteCharactersOneMore", strings.Repeat("🚀", 257), nil, false),
		sized("NameTypeAndValue", 1016, one(value("String", "x")), true), sized("NameTypeAndValueOneMore", 1017, one(value("String", "x")), false),
		sized("LabelsCount", 1014, one(value("String.a", "x")), true), sized("LabelsCountOneMore", 1015, one(value("String.a", "x")), false),
		sized("BinaryIsItsBytes", 1014, one(args{"DataType": "Binary", "BinaryValue": "AAEC"}), true), sized("BinaryIsItsBytesOneMore", 1015, one(args{"DataType": "Binary", "BinaryValue": "AAEC"}), false),
		{action, "SizeWithoutGroups", "", func(t *testing.T, e *env) {
			u := e.create(t, attrs{"MaximumMessageSize": "1024"})
			e.call(t, action, args{"QueueUrl": u, "MessageBody": strings.Repeat("x", 1024), "MessageGroupId": strings.Repeat("g", 128)}).wantOK(t)
		}},
		{action, "SizeWithoutIds", "", func(t *testing.T, e *env) {
			u := e.createFIFO(t, attrs{"MaximumMessageSize": "1024"})
			e.call(t, action, toFIFO(args{"QueueUrl": u, "MessageBody": strings.Repeat("x", 1024), "MessageDeduplicationId": strings.Repeat("d", 128)})).wantOK(t)
		}},
		{"ReceiveMessage", "TheLargestMessages", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			for _, body := range []string{strings.Repeat(`"`, 1<<20), strings.Repeat("🚀", 1<<18)} {
				e.send(t, url, body)
				m := e.receiveOne(t, url)
				if *m.Body != body {
					t.Errorf("the body came back changed, %d bytes", len(*m.Body))
				}
				e.delete(t, url, m)
			}
		}},
	})
}

// bodySized is the fact of whether a message fits.
func bodySized(name, body string, with map[string]args, fits bool) fact {
	return fact{"SendMessage", "Size" + name, "", func(t *testing.T, e *env) {
		url := e.create(t, attrs{"MaximumMessageSize": "1024"})
		in := args{"QueueUrl": url, "MessageBody": body}
		if with != nil {
			in["MessageAttributes"] = with
		}
		if r := e.call(t, "SendMessage", in); fits {
			r.wantOK(t)
		} else {
			r.wantRefusal(t, e, badParam, "One or more parameters are invalid. Reason: Message must be shorter than 1024 bytes.")
			e.wantCounts(t, url, counts{"0", "0", "0"})
		}
	}}
}
