// @aws-lite/sqs, which speaks JSON, and Query for SendMessage.
import { createRequire } from "node:module";
import { body, caught, done, endpoint, region, same, step, version } from "./steps.mjs";

version("@aws-lite/sqs");
const awsLite = createRequire(import.meta.url)("@aws-lite/client");
const { SQS } = await awsLite({ accessKeyId: "test", secretAccessKey: "test", region, endpoint, plugins: [import("@aws-lite/sqs")] });
const QueueUrl = `${endpoint}/000000000000/jobs`;

await step("create", async () => {
  // It has no words for it.
  const target = { "X-Amz-Target": "AmazonSQS.CreateQueue", "Content-Type": "application/x-amz-json-1.0" };
  const answer = await fetch(endpoint, { method: "POST", headers: target, body: JSON.stringify({ QueueName: "jobs" }) });
  same((await answer.json()).QueueUrl, QueueUrl);
});
await step("send", async () => {
  const sent = await SQS.SendMessage({ QueueUrl, MessageBody: body });
  same(typeof (sent.MessageId ?? sent.SendMessageResult?.MessageId), "string");
});
await step("receive", async () => {
  const { Messages } = await SQS.ReceiveMessage({ QueueUrl, WaitTimeSeconds: 5, AttributeNames: ["All"] });
  same([Messages.length, Messages[0].Body, Messages[0].Attributes.ApproximateReceiveCount], [1, body, "1"]);
});
await step("attributes", async () => {
  const { Attributes } = await SQS.GetQueueAttributes({ QueueUrl, AttributeNames: ["All"] });
  same(Attributes.ApproximateNumberOfMessagesNotVisible, "1");
});
await step("missing-queue", async () => {
  const err = await caught(SQS.GetQueueAttributes({ QueueUrl: `${QueueUrl}-not`, AttributeNames: ["All"] }));
  same([err.code, err.statusCode], ["QueueDoesNotExist", 400]);
});
done();
