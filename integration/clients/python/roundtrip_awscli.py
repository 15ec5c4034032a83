"""The AWS CLI, whichever one the argument names."""

import base64
import json
import os
import subprocess
import sys
import threading

from steps import ATTRIBUTES, BODY, ENDPOINT, Skip, done, md5, md5_of_attributes, same, step, version

AWS = sys.argv[1:]
DEADLINE = 60


class Failed(Exception):
    """A command that failed: its exit status and what it said."""

    def __init__(self, status, text):
        super().__init__(f"exit status {status}: {text.strip()}")
        self.status = status


def run(*args, env=None):
    out = subprocess.run([*AWS, *args], capture_output=True, timeout=DEADLINE, env={**os.environ, **(env or {})})
    if out.returncode:
        raise Failed(out.returncode, out.stderr.decode("utf-8", "replace"))
    return out.stdout.decode("utf-8")


def sqs(action, *args, before=(), env=None):
    text = run("--endpoint-url", ENDPOINT, "--output", "json", *before, "sqs", action, *args, env=env)
    return json.loads(text) if text.strip() else {}


def receive(url, *more, wait=5):
    return sqs("receive-message", "--queue-url", url, "--wait-time-seconds", str(wait), "--attribute-names", "All",
               "--message-attribute-names", "All", *more).get("Messages", [])


def attributes(url, *names):
    return sqs("get-queue-attributes", "--queue-url", url, "--attribute-names", *(names or ["All"])).get("Attributes", {})


def send(url, body, *more):
    return sqs("send-message", "--queue-url", url, "--message-body", body, *more)


def spelled(values):
    """Message attributes as the CLI spells them, bytes in base64."""
    out = {}
    for name, (kind, value) in values.items():
        if kind.startswith("Binary"):
            out[name] = {"DataType": kind, "BinaryValue": base64.b64encode(value).decode()}
        else:
            out[name] = {"DataType": kind, "StringValue": value}
    return out


number = run("--version").split()[0].removeprefix("aws-cli/")
version(number)
# Version 1 takes the text of a binary value for its bytes, and gives base64.
TAKES = spelled(ATTRIBUTES)
if number.startswith("1."):
    ATTRIBUTES = {n: (k, base64.b64encode(v) if k.startswith("Binary") else v) for n, (k, v) in ATTRIBUTES.items()}

with step("create"):
    jobs = sqs("create-queue", "--queue-name", "jobs", "--attributes", "VisibilityTimeout=60", "--tags", "team=a")["QueueUrl"]
    same("url", jobs, ENDPOINT + "/000000000000/jobs")
    same("attribute", attributes(jobs)["VisibilityTimeout"], "60")
    sqs("set-queue-attributes", "--queue-url", jobs, "--attributes", "MessageRetentionPeriod=3600")
    same("changed", attributes(jobs, "MessageRetentionPeriod"), {"MessageRetentionPeriod": "3600"})

with step("find"):
    same("get-queue-url", sqs("get-queue-url", "--queue-name", "jobs")["QueueUrl"], jobs)
    same("list-queues", sqs("list-queues", "--queue-name-prefix", "jo")["QueueUrls"], [jobs])

with step("tags"):
    same("tags", sqs("list-queue-tags", "--queue-url", jobs)["Tags"], {"team": "a"})
    sqs("tag-queue", "--queue-url", jobs, "--tags", "x=1")
    sqs("untag-queue", "--queue-url", jobs, "--tag-keys", "team")
    same("changed", sqs("list-queue-tags", "--queue-url", jobs)["Tags"], {"x": "1"})

with step("send"):
    sent = send(jobs, BODY, "--message-attributes", json.dumps(TAKES))
    same("digest of the body", sent["MD5OfMessageBody"], md5(BODY))
    same("digest of the attributes", sent["MD5OfMessageAttributes"], md5_of_attributes(ATTRIBUTES))

with step("receive"):
    (message,) = receive(jobs)
    same("body", message["Body"], BODY)
    same("digest of the body", message["MD5OfBody"], md5(BODY))
    same("attributes", message["MessageAttributes"], spelled(ATTRIBUTES))
    same("digest of the attributes", message["MD5OfMessageAttributes"], md5_of_attributes(ATTRIBUTES))
    same("receive count", message["Attributes"]["ApproximateReceiveCount"], "1")

with step("visibility"):
    sqs("change-message-visibility", "--queue-url", jobs, "--receipt-handle", message["ReceiptHandle"], "--visibility-timeout", "0")
    (message,) = receive(jobs)
    same("receive count", message["Attributes"]["ApproximateReceiveCount"], "2")
    sqs("change-message-visibility", "--queue-url", jobs, "--receipt-handle", message["ReceiptHandle"], "--visibility-timeout", "120")

with step("delete"):
    counts = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    same("in flight", [attributes(jobs, *counts)[c] for c in counts], ["0", "1"])
    sqs("delete-message", "--queue-url", jobs, "--receipt-handle", message["ReceiptHandle"])
    same("left", [attributes(jobs, *counts)[c] for c in counts], ["0", "0"])

with step("batch"):
    out = sqs("send-message-batch", "--queue-url", jobs, "--entries", json.dumps([
        {"Id": "ok", "MessageBody": BODY}, {"Id": "bad", "MessageBody": "x", "DelaySeconds": 901}]))
    same("sent", [(e["Id"], e["MD5OfMessageBody"]) for e in out["Successful"]], [("ok", md5(BODY))])
    same("failed", [(e["Id"], e["Code"], e["SenderFault"]) for e in out["Failed"]], [("bad", "InvalidParameterValue", True)])
    (message,) = receive(jobs, "--max-number-of-messages", "10")
    out = sqs("delete-message-batch", "--queue-url", jobs, "--entries",
              json.dumps([{"Id": "a", "ReceiptHandle": message["ReceiptHandle"]}, {"Id": "b", "ReceiptHandle": "nonsense"}]))
    same("deleted", [e["Id"] for e in out["Successful"]], ["a"])
    same("not deleted", [(e["Id"], e["Code"]) for e in out["Failed"]], [("b", "ReceiptHandleIsInvalid")])

with step("long-poll"):
    polled = []
    poll = threading.Thread(target=lambda: polled.extend(receive(jobs, wait=20)))
    poll.start()
    send(jobs, "wake up")
    poll.join()
    same("bodies", [m["Body"] for m in polled], ["wake up"])
    sqs("delete-message", "--queue-url", jobs, "--receipt-handle", polled[0]["ReceiptHandle"])

with step("cut-off"):
    try:
        sqs("receive-message", "--queue-url", jobs, "--wait-time-seconds", "20", before=["--cli-read-timeout", "1"],
            env={"AWS_MAX_ATTEMPTS": "1"})
        raise AssertionError("the poll was not cut off")
    except Failed as err:
        same("a timeout", "Read timeout" in str(err), True)
    send(jobs, "next")
    (message,) = receive(jobs, wait=1)
    same("first receive", message["Attributes"]["ApproximateReceiveCount"], "1")
    sqs("delete-message", "--queue-url", jobs, "--receipt-handle", message["ReceiptHandle"])

with step("fifo"):
    orders = sqs("create-queue", "--queue-name", "orders.fifo", "--attributes", "FifoQueue=true,ContentBasedDeduplication=true")["QueueUrl"]
    sent = [send(orders, body, "--message-group-id", "g")["MessageId"] for body in ["a", "b", "a"]]
    same("duplicate by content", sent[2], sent[0])
    got = receive(orders, "--max-number-of-messages", "10")
    same("order", [m["Body"] for m in got], ["a", "b"])

with step("dead-letter"):
    dead = sqs("create-queue", "--queue-name", "dead")["QueueUrl"]
    arn = attributes(dead)["QueueArn"]
    policy = {"deadLetterTargetArn": arn, "maxReceiveCount": 1}
    source = sqs("create-queue", "--queue-name", "source", "--attributes", json.dumps({"RedrivePolicy": json.dumps(policy)}))["QueueUrl"]
    send(source, "poison")
    same("once", len(receive(source, "--visibility-timeout", "0")), 1)
    same("not twice", receive(source, wait=0), [])
    same("dead", [m["Body"] for m in receive(dead, "--visibility-timeout", "0")], ["poison"])
    same("sources", sqs("list-dead-letter-source-queues", "--queue-url", dead)["queueUrls"], [source])

with step("move-task"):
    try:
        sqs("start-message-move-task", "--source-arn", arn)
    except Failed as err:
        if "Invalid choice" in str(err):
            raise Skip("this version does not know it")
        raise
    same("moved", [m["Body"] for m in receive(source)], ["poison"])
    same("tasks", [t["SourceArn"] for t in sqs("list-message-move-tasks", "--source-arn", arn)["Results"]], [arn])

with step("purge"):
    send(jobs, "x")
    sqs("purge-queue", "--queue-url", jobs)
    same("left", attributes(jobs)["ApproximateNumberOfMessages"], "0")

with step("delete-queue"):
    sqs("delete-queue", "--queue-url", jobs)
    same("left", jobs in sqs("list-queues").get("QueueUrls", []), False)

with step("missing-queue"):
    try:
        sqs("get-queue-url", "--queue-name", "jobs")
        raise AssertionError("it was found")
    except Failed as err:
        same("code in the message", "(AWS.SimpleQueueService.NonExistentQueue)" in str(err), True)

done()
