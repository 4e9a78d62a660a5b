import { buildHarness, type Harness } from './harness.ts'

/** Everything that a worker, its browser and its server keep, at one moment. */
export type Snapshot = Awaited<ReturnType<typeof takeSnapshot>>

const tablesOf = ({ importQueue, inventory }: Harness) => [...importQueue.tables, ...inventory.tables]

export async function takeSnapshot(harness: Harness) {
  const { store, server, now, asked, shown, closed } = harness
  const names = await store.names()
  return {
    values: await Promise.all(names.map(async (name) => [name, await store.get(name)] as const)),
    rows: await Promise.all(tablesOf(harness).map((table) => table.toArray())),
    server: server.copy(),
    ...structuredClone({ now, asked, shown, closed }),
  }
}

/** Creates a worker that continues at the snapshot. Each call creates an independent one. */
export async function continueFrom(snapshot: Snapshot): Promise<Harness> {
  const harness = await buildHarness({ server: snapshot.server.copy(), signedIn: false })
  const { now, asked, shown, closed } = snapshot
  for (const [name, value] of snapshot.values) await harness.store.set(name, value)
  await Promise.all(tablesOf(harness).map((table, index) => table.bulkAdd(snapshot.rows[index]!)))
  Object.assign(harness.now, now)
  Object.assign(harness.asked, asked)
  Object.assign(harness.shown, structuredClone(shown))
  for (const tab of closed) harness.closed.add(tab)
  return harness
}
