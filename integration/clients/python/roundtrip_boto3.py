"""boto3 of any version: the low-level client, and the checks of digests that it
does not make itself."""

import json
import threading
import time

import boto3
import botocore
from botocore.config import Config
from botocore.exceptions import ClientError, ReadTimeoutError

from steps import ATTRIBUTES, BODY, ENDPOINT, Skip, done, md5, md5_of_attributes, same, step, version

version(f"{boto3.__version__} (botocore {botocore.__version__})")


def connect(**config):
    return boto3.client("sqs", endpoint_url=ENDPOINT, config=Config(**config))


sqs = connect()


def receive(url, **more):
    more.setdefault("WaitTimeSeconds", 5)
    return sqs.receive_message(
        QueueUrl=url, AttributeNames=["All"], MessageAttributeNames=["All"], **more
    ).get("Messages", [])


def attributes(url, *names):
    return sqs.get_queue_attributes(QueueUrl=url, AttributeNames=list(names or ["All"])).get("Attributes", {})


def boto(values):
    return {
        name: {"DataType": kind, ("BinaryValue" if kind.startswith("Binary") else "StringValue"): value}
        for name, (kind, value) in values.items()
    }


with step("create"):
    jobs = sqs.create_queue(QueueName="jobs", Attributes={"VisibilityTimeout": "60"}, tags={"team": "a+b = c@d"})["QueueUrl"]
    same("url", jobs, ENDPOINT + "/000000000000/jobs")
    same("attribute", attributes(jobs)["VisibilityTimeout"], "60")
    sqs.set_queue_attributes(QueueUrl=jobs, Attributes={"MessageRetentionPeriod": "3600"})
    same("changed", attributes(jobs, "MessageRetentionPeriod"), {"MessageRetentionPeriod": "3600"})
    same("one that is not set", attributes(jobs, "RedrivePolicy"), {})

with step("find"):
    same("get_queue_url", sqs.get_queue_url(QueueName="jobs")["QueueUrl"], jobs)
    same("list_queues", sqs.list_queues(QueueNamePrefix="jo").get("QueueUrls"), [jobs])
    same("none", sqs.list_queues(QueueNamePrefix="nothing").get("QueueUrls"), None)

with step("tags"):
    sqs.tag_queue(QueueUrl=jobs, Tags={"x": "1"})
    same("tags", sqs.list_queue_tags(QueueUrl=jobs)["Tags"], {"team": "a+b = c@d", "x": "1"})
    sqs.untag_queue(QueueUrl=jobs, TagKeys=["team", "x"])
    same("no tags", sqs.list_queue_tags(QueueUrl=jobs).get("Tags"), None)

with step("send"):
    sent = sqs.send_message(QueueUrl=jobs, MessageBody=BODY, MessageAttributes=boto(ATTRIBUTES))
    same("digest of the body", sent["MD5OfMessageBody"], md5(BODY))
    same("digest of the attributes", sent["MD5OfMessageAttributes"], md5_of_attributes(ATTRIBUTES))

with step("receive"):
    (message,) = receive(jobs)
    same("body", message["Body"], BODY)
    same("digest of the body", message["MD5OfBody"], md5(BODY))
    same("attributes", message["MessageAttributes"], boto(ATTRIBUTES))
    same("digest of the attributes", message["MD5OfMessageAttributes"], md5_of_attributes(ATTRIBUTES))
    same("receive count", message["Attributes"]["ApproximateReceiveCount"], "1")

with step("visibility"):
    sqs.change_message_visibility(QueueUrl=jobs, ReceiptHandle=message["ReceiptHandle"], VisibilityTimeout=0)
    (message,) = receive(jobs)
    same("receive count", message["Attributes"]["ApproximateReceiveCount"], "2")
    out = sqs.change_message_visibility_batch(QueueUrl=jobs, Entries=[
        {"Id": "good", "ReceiptHandle": message["ReceiptHandle"], "VisibilityTimeout": 120},
        {"Id": "bad", "ReceiptHandle": "nonsense", "VisibilityTimeout": 120}])
    same("changed", [e["Id"] for e in out["Successful"]], ["good"])
    same("failed", [(e["Id"], e["Code"], e["SenderFault"]) for e in out["Failed"]],
         [("bad", "ReceiptHandleIsInvalid", True)])

with step("delete"):
    same("in flight", attributes(jobs)["ApproximateNumberOfMessagesNotVisible"], "1")
    sqs.delete_message(QueueUrl=jobs, ReceiptHandle=message["ReceiptHandle"])
    same("left", attributes(jobs)["ApproximateNumberOfMessagesNotVisible"], "0")
    same("nothing to receive", receive(jobs, WaitTimeSeconds=0), [])

with step("batch"):
    out = sqs.send_message_batch(QueueUrl=jobs, Entries=[
        {"Id": "a", "MessageBody": BODY, "MessageAttributes": boto(ATTRIBUTES)},
        {"Id": "late", "MessageBody": "x", "DelaySeconds": 901},
        {"Id": "b", "MessageBody": "second"}])
    same("sent", [(e["Id"], e["MD5OfMessageBody"]) for e in out["Successful"]],
         [("a", md5(BODY)), ("b", md5("second"))])
    same("failed", [(e["Id"], e["Code"], e["SenderFault"]) for e in out["Failed"]],
         [("late", "InvalidParameterValue", True)])
    got = []
    while len(got) < 2:
        more = receive(jobs, MaxNumberOfMessages=10)
        if not more:
            break
        got += more
    same("bodies", sorted(m["Body"] for m in got), sorted([BODY, "second"]))
    out = sqs.delete_message_batch(QueueUrl=jobs, Entries=[
        {"Id": str(i), "ReceiptHandle": m["ReceiptHandle"]} for i, m in enumerate(got)])
    same("deleted", sorted(e["Id"] for e in out["Successful"]), ["0", "1"])
    same("no failures", out.get("Failed"), None)
    try:
        sqs.send_message_batch(QueueUrl=jobs, Entries=[{"Id": "i", "MessageBody": "x"}] * 2)
        raise AssertionError("two entries of one id were taken")
    except ClientError as err:
        same("code", err.response["Error"]["Code"], "AWS.SimpleQueueService.BatchEntryIdsNotDistinct")

with step("long-poll"):
    timer = threading.Timer(0.5, lambda: connect().send_message(QueueUrl=jobs, MessageBody="wake up"))
    timer.start()
    begun = time.monotonic()
    (message,) = receive(jobs, WaitTimeSeconds=20)
    timer.join()
    same("body", message["Body"], "wake up")
    same("in time", time.monotonic() - begun < 18, True)
    sqs.delete_message(QueueUrl=jobs, ReceiptHandle=message["ReceiptHandle"])

with step("cut-off"):
    try:
        connect(read_timeout=1, retries={"max_attempts": 0}).receive_message(QueueUrl=jobs, WaitTimeSeconds=20)
        raise AssertionError("the poll was not cut off")
    except ReadTimeoutError:
        pass
    attributes(jobs)  # a busy server sees the cut no later than this
    sqs.send_message(QueueUrl=jobs, MessageBody="next")
    (message,) = receive(jobs, WaitTimeSeconds=1)
    same("first receive", message["Attributes"]["ApproximateReceiveCount"], "1")
    sqs.delete_message(QueueUrl=jobs, ReceiptHandle=message["ReceiptHandle"])

with step("fifo"):
    orders = sqs.create_queue(QueueName="orders.fifo", Attributes={
        "FifoQueue": "true", "ContentBasedDeduplication": "true"})["QueueUrl"]
    first = [sqs.send_message(QueueUrl=orders, MessageBody=b, MessageGroupId="g") for b in "abc"]
    again = sqs.send_message(QueueUrl=orders, MessageBody="b", MessageGroupId="g")
    same("duplicate by content", again["MessageId"], first[1]["MessageId"])
    one = sqs.send_message(QueueUrl=orders, MessageBody="d", MessageGroupId="g", MessageDeduplicationId="once")
    two = sqs.send_message(QueueUrl=orders, MessageBody="e", MessageGroupId="g", MessageDeduplicationId="once")
    same("duplicate by id", two["SequenceNumber"], one["SequenceNumber"])
    got = receive(orders, MaxNumberOfMessages=10, ReceiveRequestAttemptId="try-1")
    same("order", [m["Body"] for m in got], ["a", "b", "c", "d"])
    same("group", {m["Attributes"]["MessageGroupId"] for m in got}, {"g"})
    same("the group is busy", receive(orders, WaitTimeSeconds=0), [])

with step("dead-letter"):
    dead = sqs.create_queue(QueueName="dead")["QueueUrl"]
    arn = attributes(dead)["QueueArn"]
    policy = json.dumps({"deadLetterTargetArn": arn, "maxReceiveCount": 1})
    source = sqs.create_queue(QueueName="source", Attributes={"RedrivePolicy": policy})["QueueUrl"]
    same("policy", json.loads(attributes(source)["RedrivePolicy"]), json.loads(policy))
    same("sources", sqs.list_dead_letter_source_queues(QueueUrl=dead)["queueUrls"], [source])
    sqs.send_message(QueueUrl=source, MessageBody="poison")
    same("once", len(receive(source, VisibilityTimeout=0)), 1)
    same("not twice", receive(source, WaitTimeSeconds=0), [])
    (message,) = receive(dead, VisibilityTimeout=0)
    same("body", message["Body"], "poison")

with step("move-task"):
    if not hasattr(sqs, "start_message_move_task"):
        raise Skip("this version does not know it")
    handle = sqs.start_message_move_task(SourceArn=arn)["TaskHandle"]
    same("a handle", bool(handle), True)
    (message,) = receive(source)
    same("body", message["Body"], "poison")
    (task,) = sqs.list_message_move_tasks(SourceArn=arn)["Results"]
    same("source", task["SourceArn"], arn)

with step("purge"):
    sqs.send_message(QueueUrl=jobs, MessageBody="x")
    sqs.purge_queue(QueueUrl=jobs)
    same("left", attributes(jobs)["ApproximateNumberOfMessages"], "0")
    try:
        sqs.purge_queue(QueueUrl=jobs)
        raise AssertionError("a second purge was taken")
    except sqs.exceptions.PurgeQueueInProgress as err:
        same("code", err.response["Error"]["Code"], "AWS.SimpleQueueService.PurgeQueueInProgress")

with step("delete-queue"):
    sqs.delete_queue(QueueUrl=jobs)
    same("left", jobs in sqs.list_queues().get("QueueUrls", []), False)

with step("missing-queue"):
    for call in (lambda: sqs.get_queue_url(QueueName="jobs"),
                 lambda: sqs.send_message(QueueUrl=jobs, MessageBody="x")):
        try:
            call()
            raise AssertionError("it was found")
        except ClientError as err:
            same("code", err.response["Error"]["Code"], "AWS.SimpleQueueService.NonExistentQueue")
            same("status", err.response["ResponseMetadata"]["HTTPStatusCode"], 400)
    try:
        sqs.get_queue_url(QueueName="jobs")
    except sqs.exceptions.QueueDoesNotExist:
        pass

done()
