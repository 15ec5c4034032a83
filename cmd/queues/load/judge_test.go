package load

import "testing"

// xmlOf is an answer as Query writes it.
func xmlOf(action, result string) string {
	if result != "" {
		result = "<" + action + "Result>" + result + "</" + action + "Result>"
	}
	return `<?xml version="1.0"?><` + action + `Response xmlns="http://queue.amazonaws.com/doc/2012-11-05/">` + result +
		"<ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></" + action + "Response>"
}

// Each judge takes what is right in either protocol, and neither an answer
// about something else nor one of another action.
func TestJudges(t *testing.T) {
	t.Parallel()
	const url = "http://h:1/000000000000/q-1"
	const sent = `{"MD5OfMessageBody":"5d41402abc4b2a76b9719d911017c592","MessageId":"x"}`
	made := func(text string) map[Protocol]string {
		return map[Protocol]string{JSON: `{"QueueUrl":"` + text + `"}`, Query: "<QueueUrl>" + text + "</QueueUrl>"}
	}
	for name, tc := range map[string]struct {
		action Action
		judge  Judge
		// right and wrong are the answers, in Query what is in the result.
		right map[Protocol]string
		wrong []map[Protocol]string
	}{
		"Nothing": {TagQueue, Nothing, map[Protocol]string{JSON: "", Query: ""}, []map[Protocol]string{{JSON: "{}", Query: "<QueueUrl>x</QueueUrl>"}}},
		"Queue":   {CreateQueue, Queue(url), made(url), []map[Protocol]string{made(url + "0"), made("http://h:1/000000000000/q"), made("")}},
		"Queues": {
			ListQueues, Queues("q-", 2),
			map[Protocol]string{JSON: `{"QueueUrls":["` + url + `","` + url + `0"]}`, Query: "<QueueUrl>" + url + "</QueueUrl><QueueUrl>" + url + "0</QueueUrl>"},
			[]map[Protocol]string{made(url), {JSON: `{"queueUrls":["` + url + `","` + url + `","` + url + `"]}`, Query: "<QueueUrl>a</QueueUrl><QueueUrl>b</QueueUrl>"}},
		},
		"Times": {
			GetQueueAttributes, Times("Sid", 1),
			map[Protocol]string{JSON: `{"Attributes":{"Policy":"{\"Sid\":\"l\"}"}}`, Query: `<Attribute><Name>Policy</Name><Value>{&quot;Sid&quot;:&quot;l&quot;}</Value></Attribute>`},
			[]map[Protocol]string{{JSON: `{"Attributes":{}}`, Query: "<Attribute></Attribute>"}, {JSON: `{"a":"Sid Sid"}`, Query: "Sid Sid"}},
		},
		"Members": {
			StartMessageMoveTask, Members("TaskHandle", 1),
			map[Protocol]string{JSON: `{"TaskHandle":"e30="}`, Query: "<TaskHandle>e30=</TaskHandle>"},
			[]map[Protocol]string{{JSON: `{"Code":"TaskHandle"}`, Query: "TaskHandle"}, {JSON: `{"TaskHandle":"a","x":{"TaskHandle":"b"}}`, Query: "<TaskHandle/>"}},
		},
		"Texts": {
			ListMessageMoveTasks, Texts("Status", "RUNNING", "SourceArn", "a:b"),
			map[Protocol]string{JSON: `{"Results":[{"SourceArn":"a:b","Status":"RUNNING"}]}`, Query: "<SourceArn>a:b</SourceArn><Status>RUNNING</Status>"},
			[]map[Protocol]string{
				{JSON: `{"Results":[{"SourceArn":"a:b","Status":"CANCELLED"}]}`, Query: "<SourceArn>a:b</SourceArn><Status>CANCELLED</Status>"},
				{JSON: `{"Results":[{"Status":"RUNNING"}]}`, Query: "<Status>RUNNING</Status>"},
			},
		},
		"Attributes": {
			GetQueueAttributes, Attributes("DelaySeconds", "7"),
			map[Protocol]string{JSON: `{"Attributes":{"A":"1","DelaySeconds":"7"}}`, Query: "<Attribute><Name>DelaySeconds</Name><Value>7</Value></Attribute>"},
			[]map[Protocol]string{{JSON: `{"Attributes":{"DelaySeconds":"70"}}`, Query: "<Attribute><Name>DelaySeconds</Name><Value>70</Value></Attribute>"}},
		},
		"Tags": {
			ListQueueTags, Tags("a", "1", "b", "2"),
			map[Protocol]string{JSON: `{"Tags":{"b":"2","a":"1"}}`, Query: "<Tag><Key>b</Key><Value>2</Value></Tag><Tag><Key>a</Key><Value>1</Value></Tag>"},
			[]map[Protocol]string{
				{JSON: `{"Tags":{"a":"1"}}`, Query: "<Tag><Key>a</Key><Value>1</Value></Tag>"},
				{
					JSON:  `{"Tags":{"a":"1","b":"2","c":"3"}}`,
					Query: "<Tag><Key>a</Key><Value>1</Value></Tag><Tag><Key>b</Key><Value>2</Value></Tag><Tag><Key>c</Key><Value>3</Value></Tag>",
				},
			},
		},
		"NoTags": {
			ListQueueTags, Tags(),
			map[Protocol]string{JSON: "{}", Query: ""},
			[]map[Protocol]string{{JSON: `{"Tags":{"a":"1"}}`, Query: "<Tag><Key>a</Key><Value>1</Value></Tag>"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, p := range []Protocol{JSON, Query} {
				r := newTestWire(t, WireOptions{Protocol: p}).request(tc.action, nil)
				asked := func(body string) bool {
					if p == Query {
						body = xmlOf(tc.action.String(), body)
					}
					return tc.judge(r, []byte(body))
				}
				if !asked(tc.right[p]) {
					t.Errorf("refuses %s", tc.right[p])
				}
				for _, wrong := range tc.wrong {
					if asked(wrong[p]) {
						t.Errorf("takes %s", wrong[p])
					}
				}
				if name != "NoTags" && tc.judge(r, []byte(sent)) {
					t.Error("takes the answer to a send")
				}
			}
		})
	}
}

func TestTaskHandleIn(t *testing.T) {
	t.Parallel()
	if got := newTestWire(t, WireOptions{}).TaskHandleIn([]byte(`{"TaskHandle":"e30="}`)); got != "e30=" {
		t.Errorf("got %q", got)
	}
	if got := newTestWire(t, WireOptions{Protocol: Query}).TaskHandleIn([]byte(xmlOf("StartMessageMoveTask", ""))); got != "" {
		t.Errorf("got %q of none", got)
	}
}
