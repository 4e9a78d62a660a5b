import { writeFileSync } from 'node:fs'
import { fileOf, readSent } from '../keep.ts'
import type { SentCall } from '../sent.ts'
import type { CheckedExchange } from './check-exchanges.ts'

/** Returns the names that calls sent, by operation. */
export function collectSent(checked: readonly CheckedExchange[]): Record<string, SentCall> {
  const all: Record<string, { parameters: Set<string>; body: Set<string> }> = {}
  for (const { operation, sent } of checked) {
    if (operation === null) continue
    const of = all[operation] ?? { parameters: new Set(), body: new Set() }
    all[operation] = of
    for (const name of sent.parameters) of.parameters.add(name)
    for (const name of sent.body) of.body.add(name)
  }
  return Object.fromEntries(
    Object.entries(all)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, { parameters, body }]) => [id, { parameters: [...parameters].sort(), body: [...body].sort() }]),
  )
}

/** Returns the entries of sent.json for these calls. With `UPDATE_DOCUMENTS=1`, updates the file. */
export function keptSent(sent: Record<string, SentCall>): Record<string, SentCall> {
  const kept = readSent()
  if (process.env.UPDATE_DOCUMENTS) {
    const all = Object.entries({ ...kept, ...sent }).sort(([a], [b]) => (a < b ? -1 : 1))
    writeFileSync(fileOf('sent'), `${JSON.stringify(Object.fromEntries(all), null, 1)}\n`)
    return sent
  }
  return Object.fromEntries(Object.keys(sent).map((id) => [id, kept[id] ?? { parameters: [], body: [] }]))
}
