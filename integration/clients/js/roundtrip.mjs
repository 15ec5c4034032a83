// The whole round trip, for AWS SDKs of JavaScript: calls is an object with a
// function for each action by its name in lower camel case, which takes the
// input and gives the output.
import { attributes, body, caught, done, endpoint, plain, same, Skip, step } from "./steps.mjs";

const missing = "AWS.SimpleQueueService.NonExistentQueue";

// roundTrip takes the calls, how to cut off a receive (a function of its input
// that ends once it is), how to read the code of an error, and whether the SDK
// knows move tasks.
export async function roundTrip({ calls, cutOff, code, knowsMoves }) {
  let jobs, handle, dead, arn, source;
  const receive = async (QueueUrl, more = {}) =>
    (await calls.receiveMessage({ QueueUrl, WaitTimeSeconds: 5, AttributeNames: ["All"], MessageAttributeNames: ["All"], ...more })).Messages ?? [];
  const read = async (QueueUrl, ...names) =>
    (await calls.getQueueAttributes({ QueueUrl, AttributeNames: names.length ? names : ["All"] })).Attributes ?? {};
  const bodies = (messages) => messages.map((m) => m.Body);
  const one = (list) => (same(list.length, 1), list[0]);

  await step("create", async () => {
    jobs = (await calls.createQueue({ QueueName: "jobs", Attributes: { VisibilityTimeout: "60" }, tags: { team: "a" } })).QueueUrl;
    same(jobs, `${endpoint}/000000000000/jobs`);
    await calls.setQueueAttributes({ QueueUrl: jobs, Attributes: { MessageRetentionPeriod: "3600" } });
    same(await read(jobs, "VisibilityTimeout", "MessageRetentionPeriod"), { VisibilityTimeout: "60", MessageRetentionPeriod: "3600" });
    same(await read(jobs, "RedrivePolicy"), {});
  });
  await step("find", async () => {
    same((await calls.getQueueUrl({ QueueName: "jobs" })).QueueUrl, jobs);
    same((await calls.listQueues({ QueueNamePrefix: "jo" })).QueueUrls, [jobs]);
    same((await calls.listQueues({ QueueNamePrefix: "nothing" })).QueueUrls ?? [], []);
  });
  await step("tags", async () => {
    await calls.tagQueue({ QueueUrl: jobs, Tags: { x: "1" } });
    same((await calls.listQueueTags({ QueueUrl: jobs })).Tags, { team: "a", x: "1" });
    await calls.untagQueue({ QueueUrl: jobs, TagKeys: ["team", "x"] });
    same((await calls.listQueueTags({ QueueUrl: jobs })).Tags ?? {}, {});
  });
  await step("send", async () => {
    const sent = await calls.sendMessage({ QueueUrl: jobs, MessageBody: body, MessageAttributes: attributes });
    same(typeof sent.MD5OfMessageAttributes, "string");
  });
  await step("receive", async () => {
    const message = one(await receive(jobs));
    same(message.Body, body);
    same(plain(message.MessageAttributes), plain(attributes));
    same(message.Attributes.ApproximateReceiveCount, "1");
    handle = message.ReceiptHandle;
  });
  await step("visibility", async () => {
    await calls.changeMessageVisibility({ QueueUrl: jobs, ReceiptHandle: handle, VisibilityTimeout: 0 });
    const message = one(await receive(jobs));
    same(message.Attributes.ApproximateReceiveCount, "2");
    handle = message.ReceiptHandle;
    const out = await calls.changeMessageVisibilityBatch({
      QueueUrl: jobs,
      Entries: [
        { Id: "good", ReceiptHandle: handle, VisibilityTimeout: 120 },
        { Id: "bad", ReceiptHandle: "nonsense", VisibilityTimeout: 120 },
      ],
    });
    same(out.Successful.map((e) => e.Id), ["good"]);
    same(out.Failed.map((e) => [e.Id, e.Code, e.SenderFault]), [["bad", "ReceiptHandleIsInvalid", true]]);
  });
  await step("delete", async () => {
    await calls.deleteMessage({ QueueUrl: jobs, ReceiptHandle: handle });
    same((await read(jobs)).ApproximateNumberOfMessagesNotVisible, "0");
    same(await receive(jobs, { WaitTimeSeconds: 0 }), []);
  });
  await step("batch", async () => {
    const out = await calls.sendMessageBatch({
      QueueUrl: jobs,
      Entries: [
        { Id: "a", MessageBody: body, MessageAttributes: attributes },
        { Id: "late", MessageBody: "x", DelaySeconds: 901 },
        { Id: "b", MessageBody: "second" },
      ],
    });
    same(out.Successful.map((e) => e.Id), ["a", "b"]);
    same(out.Failed.map((e) => [e.Id, e.Code, e.SenderFault]), [["late", "InvalidParameterValue", true]]);
    const got = [];
    while (got.length < 2) {
      const more = await receive(jobs, { MaxNumberOfMessages: 10 });
      if (more.length === 0) break;
      got.push(...more);
    }
    same(bodies(got).sort(), [body, "second"].sort());
    const gone = await calls.deleteMessageBatch({ QueueUrl: jobs, Entries: got.map((m, i) => ({ Id: `${i}`, ReceiptHandle: m.ReceiptHandle })) });
    same(gone.Successful.map((e) => e.Id).sort(), ["0", "1"]);
    const err = await caught(calls.sendMessageBatch({ QueueUrl: jobs, Entries: [{ Id: "i", MessageBody: "x" }, { Id: "i", MessageBody: "x" }] }));
    same(code(err), "AWS.SimpleQueueService.BatchEntryIdsNotDistinct");
  });
  await step("long-poll", async () => {
    const begun = Date.now();
    const polled = receive(jobs, { WaitTimeSeconds: 20 });
    setTimeout(() => calls.sendMessage({ QueueUrl: jobs, MessageBody: "wake up" }), 300);
    const message = one(await polled);
    same(message.Body, "wake up");
    same(Date.now() - begun < 18000, true);
    await calls.deleteMessage({ QueueUrl: jobs, ReceiptHandle: message.ReceiptHandle });
  });
  await step("cut-off", async () => {
    await cutOff({ QueueUrl: jobs, WaitTimeSeconds: 20 });
    await read(jobs); // a busy server sees the cut no later than this
    await calls.sendMessage({ QueueUrl: jobs, MessageBody: "next" });
    const message = one(await receive(jobs, { WaitTimeSeconds: 1 }));
    same(message.Attributes.ApproximateReceiveCount, "1");
    await calls.deleteMessage({ QueueUrl: jobs, ReceiptHandle: message.ReceiptHandle });
  });
  await step("fifo", async () => {
    const Attributes = { FifoQueue: "true", ContentBasedDeduplication: "true" };
    const QueueUrl = (await calls.createQueue({ QueueName: "orders.fifo", Attributes })).QueueUrl;
    const send = (MessageBody, more = {}) => calls.sendMessage({ QueueUrl, MessageBody, MessageGroupId: "g", ...more });
    const first = await send("a");
    await send("b");
    same((await send("a")).MessageId, first.MessageId);
    const c = await send("c", { MessageDeduplicationId: "once" });
    same((await send("d", { MessageDeduplicationId: "once" })).SequenceNumber, c.SequenceNumber);
    same(bodies(await receive(QueueUrl, { MaxNumberOfMessages: 10, ReceiveRequestAttemptId: "try-1" })), ["a", "b", "c"]);
    same(await receive(QueueUrl, { WaitTimeSeconds: 0 }), []);
  });
  await step("dead-letter", async () => {
    dead = (await calls.createQueue({ QueueName: "dead" })).QueueUrl;
    arn = (await read(dead, "QueueArn")).QueueArn;
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: arn, maxReceiveCount: 1 });
    source = (await calls.createQueue({ QueueName: "source", Attributes: { RedrivePolicy } })).QueueUrl;
    await calls.sendMessage({ QueueUrl: source, MessageBody: "poison" });
    same(bodies(await receive(source, { VisibilityTimeout: 0 })), ["poison"]);
    same(await receive(source, { WaitTimeSeconds: 0 }), []);
    same(bodies(await receive(dead, { VisibilityTimeout: 0 })), ["poison"]);
    same((await calls.listDeadLetterSourceQueues({ QueueUrl: dead })).queueUrls, [source]);
  });
  await step("move-task", async () => {
    if (!knowsMoves) throw new Skip("this version does not know it");
    await calls.startMessageMoveTask({ SourceArn: arn });
    same(bodies(await receive(source)), ["poison"]);
    same((await calls.listMessageMoveTasks({ SourceArn: arn })).Results.map((t) => t.SourceArn), [arn]);
  });
  await step("purge", async () => {
    await calls.sendMessage({ QueueUrl: jobs, MessageBody: "x" });
    await calls.purgeQueue({ QueueUrl: jobs });
    same((await read(jobs)).ApproximateNumberOfMessages, "0");
    same(code(await caught(calls.purgeQueue({ QueueUrl: jobs }))), "AWS.SimpleQueueService.PurgeQueueInProgress");
  });
  await step("delete-queue", async () => {
    await calls.deleteQueue({ QueueUrl: jobs });
    same((await calls.listQueues({ QueueNamePrefix: "jobs" })).QueueUrls ?? [], []);
  });
  await step("missing-queue", async () => {
    same(code(await caught(calls.getQueueUrl({ QueueName: "jobs" }))), missing);
    same(code(await caught(calls.sendMessage({ QueueUrl: jobs, MessageBody: "x" }))), missing);
  });
  done();
}
