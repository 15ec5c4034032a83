// AWS SDK for JavaScript v3, of any version.
import * as sdk from "@aws-sdk/client-sqs";
import { roundTrip } from "./roundtrip.mjs";
import { caught, credentials, endpoint, region, same, version } from "./steps.mjs";

version("@aws-sdk/client-sqs");
const client = new sdk.SQSClient({ endpoint, region, credentials });

const calls = {};
for (const [name, Command] of Object.entries(sdk)) {
  const action = name.match(/^(.*)Command$/)?.[1];
  if (action) calls[action[0].toLowerCase() + action.slice(1)] = (input) => client.send(new Command(input));
}

await roundTrip({
  calls,
  knowsMoves: "startMessageMoveTask" in calls,
  // The two forms of an error's code: with and without a class of its own.
  code: (err) => err.Error?.Code ?? err.Code ?? err.name,
  async cutOff(input) {
    const aborter = new AbortController();
    setTimeout(() => aborter.abort(), 500);
    const err = await caught(client.send(new sdk.ReceiveMessageCommand(input), { abortSignal: aborter.signal }));
    same(err.name, "AbortError");
  },
});
