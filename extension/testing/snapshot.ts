import { buildHarness, type Harness } from './harness.ts'
import { StandInImports } from './stand-in-imports.ts'
import { StandInSelling } from './stand-in-selling.ts'
import { StandInServer } from './stand-in-server.ts'
import { StandInStream } from './stand-in-stream.ts'

/** Everything that a worker, its browser and its server keep, at one moment. */
export type Snapshot = Awaited<ReturnType<typeof takeSnapshot>>

const tablesOf = ({ importQueue, inventory }: Harness) => [...importQueue.tables, ...inventory.tables]

export async function takeSnapshot(harness: Harness) {
  const { store, server, now, asked, shown, closed } = harness
  const names = await store.names()
  return {
    values: await Promise.all(names.map(async (name) => [name, await store.get(name)] as const)),
    rows: await Promise.all(tablesOf(harness).map((table) => table.toArray())),
    server: copyOf(server),
    ...structuredClone({ now, asked, shown, closed }),
  }
}

/** Creates a worker that continues at the snapshot. Each call creates an independent one. */
export async function continueFrom(snapshot: Snapshot): Promise<Harness> {
  const harness = await buildHarness({ server: copyOf(snapshot.server), signedIn: false })
  const { now, asked, shown, closed } = snapshot
  for (const [name, value] of snapshot.values) await harness.store.set(name, value)
  await Promise.all(tablesOf(harness).map((table, index) => table.bulkAdd(snapshot.rows[index]!)))
  Object.assign(harness.now, now)
  Object.assign(harness.asked, asked)
  Object.assign(harness.shown, structuredClone(shown))
  for (const tab of closed) harness.closed.add(tab)
  return harness
}

/** Returns a server in the same state. Nobody may listen to its stream. */
function copyOf(server: StandInServer): StandInServer {
  const copy = new StandInServer()
  putState(structuredClone(stateOf(server)), copy)
  return copy
}

const isPart = (value: unknown): value is object =>
  value instanceof StandInSelling || value instanceof StandInImports || value instanceof StandInStream

/** Returns the members of the server or a part of it, without its functions. */
function stateOf(part: object): Record<string, unknown> {
  const members = Object.entries(part).filter(([, value]) => typeof value !== 'function')
  return Object.fromEntries(members.map(([name, value]) => [name, isPart(value) ? stateOf(value) : value]))
}

/** Fills the server or a part of it, whose members may be shared with another part. */
function putState(state: Record<string, unknown>, part: object): void {
  for (const [name, value] of Object.entries(state)) {
    const member: unknown = Reflect.get(part, name)
    if (isPart(member)) putState(value as Record<string, unknown>, member)
    else if (Array.isArray(member)) member.splice(0, member.length, ...(value as unknown[]))
    else if (member instanceof Map) for (const [key, one] of value as Map<unknown, unknown>) member.set(key, one)
    else if (member instanceof Set) for (const one of value as Set<unknown>) member.add(one)
    else if (typeof member === 'object' && member !== null) Object.assign(member, value)
    else Reflect.set(part, name, value)
  }
}
