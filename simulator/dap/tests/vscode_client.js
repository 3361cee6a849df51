// Drives the debug adapter with VS Code's own test client: node vscode_client.js FOLDER ADAPTER PROGRAM SOURCE
// FOLDER holds node_modules, ADAPTER is a script that starts the adapter. Prints one line for each step that went well.
'use strict';
const assert = require('assert');
const fs = require('fs');
const path = require('path');

const [folder, adapter, program, source] = process.argv.slice(2);
const {DebugClient} = require(path.join(folder, 'node_modules', '@vscode', 'debugadapter-testsupport'));

const text = fs.readFileSync(source, 'utf8').split('\n');
const lineWith = words => text.findIndex(line => line.includes(words)) + 1;
const STORE = lineWith('out[i] = value;'), CALL = lineWith('value = apply('), HOST = lineWith('int main(');

const done = step => console.log('ok ' + step);

// Moves, and gives the innermost frame of where it stops.
async function stop(client, move) {
  const stopped = client.waitForEvent('stopped');
  await move();
  const event = await stopped;
  const frames = (await client.stackTraceRequest({threadId: event.body.threadId})).body.stackFrames;
  return {reason: event.body.reason, thread: event.body.threadId, frame: frames[0], frames};
}

async function scope(client, frame, name) {
  const scopes = (await client.scopesRequest({frameId: frame.id})).body.scopes;
  const reference = scopes.find(one => one.name === name).variablesReference;
  const list = (await client.variablesRequest({variablesReference: reference})).body.variables;
  return {reference, of: Object.fromEntries(list.map(one => [one.name, one]))};
}

async function variables(client, frame) {
  const {of} = await scope(client, frame, 'Locals');
  assert.equal(of.i.value, '5');
  const tile = (await client.variablesRequest({variablesReference: of.tile.variablesReference})).body.variables;
  assert.equal(tile.length, 64);
  assert.equal(tile[3].value, '3');
  const lanes = (await scope(client, frame, 'All lanes')).of;
  const values = (await client.variablesRequest({variablesReference: lanes.i.variablesReference})).body.variables;
  assert.deepEqual(values.map(one => Number(one.value)), [...Array(32).keys()]);
  done('scopes and variables');
  assert.equal((await client.evaluateRequest({expression: 'value * 2', frameId: frame.id})).body.result, '244');
  await assert.rejects(client.evaluateRequest({expression: 'valeu', frameId: frame.id}), /valeu/);
  done('evaluate');
}

async function movement(client, thread) {
  let back = await stop(client, () => client.stepBackRequest({threadId: thread}));
  if (back.frame.line === CALL + 1) {  // a compiler's branch around the else
    back = await stop(client, () => client.stepBackRequest({threadId: thread}));
  }
  assert.equal(back.frame.line, CALL);
  done('step back');
  const inside = await stop(client, () => client.stepInRequest({threadId: thread}));
  assert.equal(inside.frames.length, 2);
  assert.match(inside.frame.name, /apply/);
  assert.equal((await stop(client, () => client.stepOutRequest({threadId: thread}))).frames.length, 1);
  let on = await stop(client, () => client.nextRequest({threadId: thread}));
  if (on.frame.line === CALL + 1) {
    on = await stop(client, () => client.nextRequest({threadId: thread}));
  }
  assert.equal(on.frame.line, STORE);
  done('step in, out and over');
  const told = (await client.setFunctionBreakpointsRequest({breakpoints: [{name: 'apply'}, {name: 'wrok'}]})).body.breakpoints;
  assert.deepEqual(told.map(one => one.verified), [true, false]);
  assert.match(told[1].message, /did you mean 'work'/);
  const reversed = await stop(client, () => client.reverseContinueRequest({threadId: thread}));
  assert.match(reversed.frame.name, /apply/);
  await client.setFunctionBreakpointsRequest({breakpoints: []});
  done('reverse continue');
}

async function memory(client, frame) {
  const info = (await client.dataBreakpointInfoRequest({name: 'out[5]'})).body;
  const [watch] = (await client.setDataBreakpointsRequest({breakpoints: [{dataId: info.dataId, accessType: 'write'}]})).body.breakpoints;
  assert.ok(watch.verified);
  const listed = (await client.disassembleRequest(
    {memoryReference: frame.instructionPointerReference, instructionCount: 4})).body.instructions;
  assert.equal(listed.length, 4);
}

async function session(client) {
  const told = new Map();
  client.on('breakpoint', event => told.set(event.body.breakpoint.id, event.body.breakpoint));
  const stopped = client.waitForEvent('stopped');
  const configured = client.waitForEvent('initialized').then(async () => {
    const [pending, host] = (await client.setBreakpointsRequest({
      source: {path: source}, breakpoints: [{line: STORE, condition: 'i == 5'}, {line: HOST}]})).body.breakpoints;
    [pending, host].forEach(one => told.set(one.id, one));  // known at once where the launch request came first
    await client.setExceptionBreakpointsRequest({filters: []});
    await client.configurationDoneRequest();
    return [pending, host];
  });
  const [[pending, host]] = await Promise.all([configured, client.launch({program, args: ['1'], gpu: 't4'})]);
  done('initialize and launch');
  const event = await stopped;
  assert.equal(event.body.reason, 'breakpoint');
  assert.ok(told.get(pending.id).verified);
  assert.ok(!told.get(host.id).verified);
  assert.match(told.get(host.id).message, /holds no device code/);
  done('breakpoints');
  const threads = (await client.threadsRequest()).body.threads;
  assert.ok(threads.some(one => one.id === event.body.threadId));
  const frames = (await client.stackTraceRequest({threadId: event.body.threadId})).body.stackFrames;
  assert.equal(frames[0].line, STORE);
  client.assertPath(frames[0].source.path, source);
  done('threads and stack');
  await variables(client, frames[0]);
  await memory(client, frames[0]);
  done('data breakpoints and disassembly');
  await movement(client, event.body.threadId);
  const watched = await stop(client, () => client.continueRequest({threadId: event.body.threadId}));
  assert.ok(['breakpoint', 'data breakpoint'].includes(watched.reason));
  await client.disconnectRequest({terminateDebuggee: true});
  done('disconnect');
}

async function main() {
  const client = new DebugClient('/bin/sh', adapter, 'gpusim');
  client.defaultTimeout = 30000;
  await client.start();
  await session(client);  // the adapter ends with it, and so does this
}

main().catch(error => {
  console.error(error);
  process.exit(1);
});
