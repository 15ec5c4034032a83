package compat

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"queues/engine"
	"queues/protocol"
)

// The base types of message attributes. A label may follow, parted by a dot.
const (
	typeString = "String"
	typeNumber = "Number"
	typeBinary = "Binary"
)

// checkedAttributes are a message's own attributes, in the order of their
// names, and how many bytes of the message they take.
type checkedAttributes struct {
	list []engine.Attribute
	size int
}

// checkMessageAttributes checks a sender's attributes. The operation is for
// the text that refuses list values.
func checkMessageAttributes(given map[string]protocol.MessageAttributeValue, op protocol.Operation) (checkedAttributes, *protocol.Error) {
	var c checkedAttributes
	names := sortedNames(given)
	for _, name := range names {
		if v := given[name]; len(v.StringListValues) > 0 || len(v.BinaryListValues) > 0 {
			return c, protocol.UnsupportedOperation.New("Message attribute list values in " + string(op) + " operation are not supported.")
		}
	}
	if len(given) > maxMessageAttributes {
		return c, protocol.InvalidParameterValue.New(fmt.Sprintf("Number of message attributes [%d] exceeds the allowed maximum [%d].", len(given), maxMessageAttributes))
	}
	for _, name := range names {
		v := given[name]
		text := attributeNameFault(name)
		if text == "" {
			text = attributeValueFault("message (user)", name, v)
		}
		if text != "" {
			return c, protocol.InvalidParameterValue.New(text)
		}
		a := engine.Attribute{Name: name, Type: *v.DataType, Value: attributeBytes(v)}
		c.list = append(c.list, a)
		c.size += attributeSize(name, v)
	}
	return c, nil
}

// sortedNames gives the names of attributes in their order. Most messages have
// none, and to sort nothing costs six allocations of the sixteen of a send:
// BenchmarkSend.
func sortedNames(given map[string]protocol.MessageAttributeValue) []string {
	if len(given) == 0 {
		return nil
	}
	return slices.Sorted(maps.Keys(given))
}

// attributeNameFault is what is wrong with an attribute's name, empty for
// nothing.
func attributeNameFault(name string) string {
	lower := strings.ToLower(clip(name))
	switch {
	case name == "":
		return "The request must contain non-empty message (user) attribute names."
	case len(name) > maxAttributeName:
		return "Message (user) attribute name must be shorter than 256 bytes."
	case strings.HasPrefix(lower, "aws."), strings.HasPrefix(lower, "amazon."):
		return "You can't use message attribute names beginning with 'AWS.' or 'Amazon'. These strings are reserved for internal use."
	case name[0] == '.':
		return "Message (user) attribute name must not begin with character '.'."
	case name[len(name)-1] == '.':
		return "Message (user) attribute name must not end with character '.'."
	case strings.Contains(name, ".."):
		return "Message (user) attribute name must not have successive '.' characters."
	case strings.ContainsFunc(name, notInAttributeNames) || !protocol.ValidText(name):
		return "Message (user) attribute name can only include letters, digits, underscores, hyphens and periods."
	}
	return ""
}

// notInAttributeNames reports whether a character may not stand in a name.
// Letters of every alphabet may.
func notInAttributeNames(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r) && !strings.ContainsRune("_-.", r)
}

// attributeValueFault is what is wrong with an attribute's type or value, empty
// for nothing. The kind is "message (user)" or "message (system)".
func attributeValueFault(kind, name string, v protocol.MessageAttributeValue) string {
	name = clip(name)
	dataType := deref(v.DataType)
	base, _, _ := strings.Cut(dataType, ".")
	upper := "M" + kind[1:]
	hasText, hasBytes := deref(v.StringValue) != "", len(v.BinaryValue) > 0
	switch {
	case v.DataType == nil && v.StringValue == nil && v.BinaryValue == nil:
		return fmt.Sprintf("The %s attribute '%s' must contain a non-empty message attribute value.", kind, name)
	case dataType == "":
		return fmt.Sprintf("The %s attribute '%s' must contain a non-empty message attribute type.", kind, name)
	case base != typeString && base != typeNumber && base != typeBinary, !protocol.ValidText(dataType):
		return fmt.Sprintf("The type of %s attribute '%s' is invalid. You must use only the following supported type prefixes: Binary, Number, String.", kind, name)
	case len(dataType) > maxAttributeType:
		return upper + " attribute type must be shorter than 256 bytes."
	case !hasText && !hasBytes:
		return fmt.Sprintf("%s attribute '%s' must contain a non-empty value of type '%s'.", upper, name, dataType)
	case hasText && hasBytes:
		return fmt.Sprintf("%s attribute '%s' must have a single value.", upper, name)
	case base == typeBinary && hasText:
		return fmt.Sprintf("%s attribute '%s' with type '%s' must use field 'Binary'.", upper, name, dataType)
	case base != typeBinary && hasBytes:
		return fmt.Sprintf("%s attribute '%s' with type '%s' must use field 'String'.", upper, name, dataType)
	case base == typeNumber && !isNumber(*v.StringValue):
		return fmt.Sprintf("Can't cast the value of %s attribute '%s' to a number.", kind, name)
	case hasText && !protocol.ValidText(*v.StringValue):
		return fmt.Sprintf("%s attribute '%s' contains invalid characters. %s", upper, name, textValidCharacters)
	}
	return ""
}

// attributeBytes is the value of an attribute that passed the checks.
func attributeBytes(v protocol.MessageAttributeValue) []byte {
	if len(v.BinaryValue) > 0 {
		return v.BinaryValue
	}
	return []byte(deref(v.StringValue))
}

// attributeSize is how many bytes of a message an attribute takes: its name,
// its type, its value.
func attributeSize(name string, v protocol.MessageAttributeValue) int {
	return len(name) + len(deref(v.DataType)) + len(deref(v.StringValue)) + len(v.BinaryValue)
}

// messageSize is what counts against the limits of a message and of a batch.
func messageSize(body *string, given map[string]protocol.MessageAttributeValue) int {
	n := len(deref(body))
	for name, v := range given {
		n += attributeSize(name, v)
	}
	return n
}
