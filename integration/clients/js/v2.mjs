// AWS SDK for JavaScript v2, which connects to the host in the queue's URL.
import { createRequire } from "node:module";
import { roundTrip } from "./roundtrip.mjs";
import { caught, credentials, endpoint, region, same, version } from "./steps.mjs";

version("aws-sdk");
process.env.AWS_SDK_JS_SUPPRESS_MAINTENANCE_MODE_MESSAGE = "1";
const SQS = createRequire(import.meta.url)("aws-sdk/clients/sqs");
const client = new SQS({ endpoint, region, credentials });

const calls = new Proxy({}, { get: (_, action) => (input) => client[action](input).promise() });

await roundTrip({
  calls,
  knowsMoves: typeof client.startMessageMoveTask === "function",
  code: (err) => err.code,
  async cutOff(input) {
    const request = client.receiveMessage(input);
    setTimeout(() => request.abort(), 500);
    same((await caught(request.promise())).code, "RequestAbortedError");
  },
});
