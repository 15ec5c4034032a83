// What every script in JavaScript shares: one line per step, in the form that
// the runner reads, and the values that a round trip sends.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const endpoint = process.env.QUEUES_ENDPOINT;
export const region = "us-east-1";
export const credentials = { accessKeyId: "test", secretAccessKey: "test" };
export const body = process.env.QUEUES_BODY;
export const same = assert.deepStrictEqual;

// The message attributes of the round trip.
export const attributes = {
  text: { DataType: "String", StringValue: body },
  number: { DataType: "Number", StringValue: "1.50" },
  bytes: { DataType: "Binary", BinaryValue: Uint8Array.from({ length: 256 }, (_, i) => i) },
  price: { DataType: "Number.price", StringValue: "-7e3" },
  "icon.png": { DataType: "Binary.png", BinaryValue: Uint8Array.from([0, 255]) },
};

// plain makes attributes comparable, however a client wraps bytes and lists.
export function plain(values) {
  const out = {};
  for (const name of Object.keys(values ?? {}).sort()) {
    const { DataType, StringValue, BinaryValue } = values[name];
    out[name] = BinaryValue === undefined ? [DataType, StringValue] : [DataType, Buffer.from(BinaryValue).toString("hex")];
  }
  return out;
}

// version reads the version of an installed package.
export function version(name) {
  const file = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../node_modules", name, "package.json");
  console.log(`version ${JSON.parse(readFileSync(file, "utf8")).version}`);
}

// Skip is what a step throws that the client cannot say.
export class Skip extends Error {}

let failed = false;

// step runs one step: what it throws is its failure, and the next one runs.
export async function step(name, run) {
  try {
    await run();
    console.log(`ok ${name}`);
  } catch (err) {
    if (err instanceof Skip) {
      console.log(`skip ${name}: ${err.message}`);
      return;
    }
    failed = true;
    console.log(`not ok ${name}: ${String(err?.stack ?? err).replace(/\s+/g, " ").slice(0, 1000)}`);
  }
}

// caught gives what a call throws, and throws if it does not.
export async function caught(promise) {
  try {
    await promise;
  } catch (err) {
    return err;
  }
  throw new Error("it did not fail");
}

// within gives what a promise gives, if it does in that many milliseconds.
export function within(ms, promise, what = "it") {
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(`${what} took longer than ${ms} ms`)), ms)));
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

// until polls a condition until it holds.
export async function until(what, condition, ms = 20000) {
  const end = Date.now() + ms;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`${what}: not within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

// done ends the script, whatever a client still keeps open.
export function done() {
  console.log("done");
  process.exit(failed ? 1 : 0);
}
