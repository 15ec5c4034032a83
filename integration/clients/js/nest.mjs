// @ssut/nestjs-sqs in an application of Nest, without a compiler: decorators
// are functions.
import "reflect-metadata";
import { createRequire } from "node:module";
import { CreateQueueCommand, GetQueueAttributesCommand, SQSClient } from "@aws-sdk/client-sqs";
import { body, credentials, done, endpoint, region, same, step, until, version, within } from "./steps.mjs";

version("@ssut/nestjs-sqs");
const require = createRequire(import.meta.url);
const { Module } = require("@nestjs/common");
const { NestFactory } = require("@nestjs/core");
const { SqsConsumerEventHandler, SqsMessageHandler, SqsModule, SqsService } = require("@ssut/nestjs-sqs");

const sqs = new SQSClient({ endpoint, region, credentials });
const { QueueUrl: queueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: "jobs" }));
const seen = [], errors = [];
class Handler {
  async handle(message) {
    seen.push(message);
    return message;
  }
  failed(err) {
    errors.push(err);
  }
}
const decorate = (decorator, name) => decorator(Handler.prototype, name, Object.getOwnPropertyDescriptor(Handler.prototype, name));
decorate(SqsMessageHandler("jobs", false), "handle");
decorate(SqsConsumerEventHandler("jobs", "processing_error"), "failed");
class App {}
Module({
  imports: [SqsModule.register({
    consumers: [{ name: "jobs", queueUrl, sqs, messageAttributeNames: ["All"] }],
    producers: [{ name: "jobs", queueUrl, sqs }],
  })],
  providers: [Handler],
})(App);

let app, service;
await step("start", async () => {
  app = await NestFactory.createApplicationContext(App, { logger: ["error"] });
  service = app.get(SqsService);
});
await step("send", async () => {
  await service.send("jobs", { id: "a", body: { text: body }, messageAttributes: { kind: { DataType: "String", StringValue: "x" } } });
  await service.send("jobs", Array.from({ length: 12 }, (_, i) => ({ id: `${i}`, body: `${i}` })));
});
await step("receive", async () => {
  await until("13 messages", () => seen.length === 13);
  const message = seen.find((m) => m.MessageAttributes?.kind);
  same([JSON.parse(message.Body).text, message.MessageAttributes.kind.StringValue], [body, "x"]);
});
await step("delete", async () => {
  const left = async () => {
    const { Attributes: a } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ["All"] }));
    return +a.ApproximateNumberOfMessages + +a.ApproximateNumberOfMessagesNotVisible;
  };
  await until("all deleted", async () => (await left()) === 0);
  same(errors, []);
});
await step("count", async () => same(await service.getProducerQueueSize("jobs"), 0));
await step("purge", async () => service.purgeQueue("jobs"));
await step("stop", async () => within(30000, app.close(), "close"));
done();
