// serverless-offline-sqs: its SQS class, which polls queues for functions,
// with a function of ours in place of the framework's.
import { createRequire } from "node:module";
import { body, done, endpoint, region, same, step, until, version } from "./steps.mjs";

version("serverless-offline-sqs");
process.env.AWS_SDK_JS_SUPPRESS_MAINTENANCE_MODE_MESSAGE = "1";
const require = createRequire(import.meta.url);
const Offline = require("serverless-offline-sqs/src/sqs");
const SQS = require("aws-sdk/clients/sqs");

const options = { endpoint, region, accountId: "000000000000", accessKeyId: "test", secretAccessKey: "test" };
const client = new SQS(options);
const events = [];
let fail = false;
const lambda = {
  get: () => ({
    setEvent: (event) => events.push(event),
    runHandler: async () => {
      if (fail) throw new Error("not now");
    },
  }),
};
let queueUrl;
const offline = new Offline(lambda, {}, options);
const records = () => events.flatMap((e) => e.Records);

await step("start", async () => {
  ({ QueueUrl: queueUrl } = await client.createQueue({ QueueName: "jobs" }).promise());
  const { Attributes } = await client.getQueueAttributes({ QueueUrl: queueUrl, AttributeNames: ["QueueArn"] }).promise();
  await offline.create([{ functionKey: "f", sqs: { arn: Attributes.QueueArn, batchSize: 10 } }]);
  offline.start();
});
await step("event", async () => {
  const MessageAttributes = { text: { DataType: "String", StringValue: "one" }, bytes: { DataType: "Binary", BinaryValue: Buffer.from([0, 255]) } };
  await client.sendMessage({ QueueUrl: queueUrl, MessageBody: body, MessageAttributes }).promise();
  await until("the event", () => records().length === 1, 30000);
  const [record] = records();
  same([record.body, record.eventSource, record.attributes.ApproximateReceiveCount], [body, "aws:sqs", "1"]);
  same([record.messageAttributes.text.stringValue, record.messageAttributes.text.dataType], ["one", "String"]);
  same(typeof record.md5OfBody, "string");
});
await step("delete", async () => {
  await until("all deleted", async () => {
    const { Attributes: a } = await client.getQueueAttributes({ QueueUrl: queueUrl, AttributeNames: ["All"] }).promise();
    return +a.ApproximateNumberOfMessages + +a.ApproximateNumberOfMessagesNotVisible === 0;
  });
});
await step("stop", async () => offline.stop());
done();
