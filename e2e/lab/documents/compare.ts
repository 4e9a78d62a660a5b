import type { ApiName, DocumentedApi } from './calls.ts'
import { documentedApis } from './calls.ts'
import { pathsRead } from './paths-read.ts'
import {
  answerOf,
  type Described,
  type FoundOperation,
  type KeptDocument,
  memberAt,
  operationsOf,
  resolve,
  type Schema,
  withoutBrackets,
} from './schema.ts'
import type { Sent, SentCall } from './sent.ts'

/** One difference between two versions of a document. */
export interface Change {
  /** True if an adapter sends or reads the changed part. */
  used: boolean
  line: string
  /** The request's value that is no longer accepted. */
  value?: unknown
}

/**
 * Returns the differences between the kept and a newer document in the adapter's calls. New operations, optional
 * parameters and optional members are included as unused.
 */
export function compareDocuments(name: ApiName, kept: KeptDocument, newer: KeptDocument, sent: Sent): Change[] {
  const { calls, undocumented }: DocumentedApi = documentedApis[name]
  const before = operationsOf(kept)
  const after = operationsOf(newer)
  const changes: Change[] = []
  for (const [id, reads] of Object.entries(calls)) {
    const old = before.get(id)
    const now = after.get(id)
    if (!old) continue
    if (!now) {
      changes.push({ used: true, line: `${id}: the operation was removed` })
      continue
    }
    const paths = [...new Set(reads.flatMap((schema) => pathsRead(schema)))].filter(
      (path) => !undocumented.includes(`${id} ${path}`),
    )
    const of = sent[id] ?? { parameters: [], body: [] }
    const found = [
      ...addressChanges(old, now),
      ...parameterChanges(old, now, of),
      ...scopeChanges(old, now),
      ...bodyChanges({ kept, newer }, old, now, of),
      ...answerChanges({ kept, newer }, old, now, paths),
    ]
    changes.push(...found.map(({ used, line }) => ({ used, line: `${id}: ${line}` })))
  }
  const own = new Set(Object.keys(calls))
  const gone = kept.operations.filter((id) => !newer.operations.includes(id) && !own.has(id))
  const added = newer.operations.filter((id) => !kept.operations.includes(id) && !own.has(id))
  return [
    ...changes,
    ...gone.map((id) => ({ used: false, line: `${id}: the operation was removed` })),
    ...added.map((id) => ({ used: false, line: `${id}: the operation is new` })),
  ]
}

interface Both {
  kept: Described
  newer: Described
}

function addressChanges(old: FoundOperation, now: FoundOperation): Change[] {
  const address = ({ method, path }: FoundOperation) => `${method} ${path}`
  return address(old) === address(now) ? [] : [{ used: true, line: `${address(old)} became ${address(now)}` }]
}

function parameterChanges(old: FoundOperation, now: FoundOperation, sent: SentCall): Change[] {
  const changes: Change[] = []
  const ofNow = new Map(now.operation.parameters.map((parameter) => [parameter.name, parameter]))
  for (const parameter of old.operation.parameters) {
    const { name } = parameter
    const later = ofNow.get(name)
    ofNow.delete(name)
    const used = sent.parameters.includes(name)
    if (!later) {
      changes.push({ used, line: `the parameter ${name} was removed` })
      continue
    }
    if (later.required && !parameter.required)
      changes.push({ used: true, line: `the parameter ${name} is required now` })
    const found = constraintChanges(parameter.schema, later.schema, `the parameter ${name}`, used, 'request')
    // Removing a value that is never sent does not matter.
    const isUnused = ({ value }: Change) => value !== undefined && !sent.parameters.includes(`${name}=${value}`)
    changes.push(...found.map((one) => (isUnused(one) ? { ...one, used: false } : one)))
  }
  for (const { name, required } of ofNow.values()) {
    changes.push({ used: required, line: `the parameter ${name} is new${required ? ' and required' : ''}` })
  }
  return changes
}

function scopeChanges(old: FoundOperation, now: FoundOperation): Change[] {
  const scopes = ({ operation }: FoundOperation) => [
    ...new Set(operation.security.flatMap((one) => Object.values(one).flat())),
  ]
  const known = scopes(old)
  // A document may be silent about scopes; only a new one can refuse a call.
  const added = known.length === 0 ? [] : scopes(now).filter((scope) => !known.includes(scope))
  return added.map((scope) => ({ used: true, line: `the scope ${scope} is asked for now` }))
}

function bodyChanges(both: Both, old: FoundOperation, now: FoundOperation, sent: SentCall): Change[] {
  const changes: Change[] = []
  for (const [type, { schema }] of Object.entries(old.operation.requestBody?.content ?? {})) {
    const later = now.operation.requestBody?.content[type]
    if (!later) {
      changes.push({ used: true, line: `a body of ${type} is no longer taken` })
      continue
    }
    if (schema && later.schema) compareMembers(schema, later.schema, '')
  }
  return changes

  function compareMembers(before: Schema, after: Schema, at: string): void {
    const [old, now] = [resolve(both.kept, before), resolve(both.newer, after)]
    if (old.items && now.items) {
      compareMembers(old.items, now.items, `${at}[]`)
      return
    }
    const isSent = at === '' || sent.body.includes(withoutBrackets(at))
    const nameOf = (name: string) => (at === '' ? name : `${at}.${name}`)
    for (const name of now.required ?? []) {
      if (old.required?.includes(name)) continue
      changes.push({ used: isSent, line: `${nameOf(name)} is required in the body now` })
    }
    for (const [name, member] of Object.entries(old.properties ?? {})) {
      const path = nameOf(name)
      const later = now.properties?.[name]
      const used = sent.body.includes(path)
      if (!later) {
        changes.push({ used, line: `${path} was removed from the body` })
        continue
      }
      const [one, other] = [resolve(both.kept, member), resolve(both.newer, later)]
      changes.push(...constraintChanges(one, other, `${path} in the body`, used, 'request'))
      // Members that are not sent are skipped: schemas can refer to themselves.
      if (used) compareMembers(one, other, path)
    }
    for (const name of Object.keys(now.properties ?? {})) {
      if (old.properties?.[name] || now.required?.includes(name)) continue
      if (isSent && old.properties) changes.push({ used: false, line: `${nameOf(name)} is new in the body` })
    }
  }
}

function answerChanges(both: Both, old: FoundOperation, now: FoundOperation, paths: readonly string[]): Change[] {
  const [before, after] = [answerOf(old.operation), answerOf(now.operation)]
  return paths.flatMap((path) => {
    const known = memberAt(both.kept, before, path)
    if (!known) return []
    const later = memberAt(both.newer, after, path)
    if (!later) {
      // Report only the outermost removed member.
      const above = withoutBrackets(path.slice(0, Math.max(0, path.lastIndexOf('.'))))
      const isReportedAbove = above !== '' && paths.includes(above) && !memberAt(both.newer, after, above)
      return isReportedAbove ? [] : [{ used: true, line: `the answer no longer has ${path}` }]
    }
    return constraintChanges(
      resolve(both.kept, known),
      resolve(both.newer, later),
      `${path} of the answer`,
      true,
      'answer',
    )
  })
}

/**
 * Compares types, values and bounds. In a request, removed values matter; in an answer, new ones do.
 */
function constraintChanges(
  old: Schema,
  now: Schema,
  name: string,
  used: boolean,
  side: 'request' | 'answer',
): Change[] {
  const changes: Change[] = []
  if (old.type !== now.type)
    changes.push({ used, line: `${name} was ${old.type ?? 'of any type'} and is ${now.type ?? 'of any type'}` })
  if (side === 'answer' && now.nullable && !old.nullable) changes.push({ used, line: `${name} may be null now` })
  const [before, after] = [valuesOf(old), valuesOf(now)]
  if (before && after) {
    const removed = before.filter((value) => !after.includes(value))
    const added = after.filter((value) => !before.includes(value))
    changes.push(
      ...removed.map((value) => ({
        used: used && side === 'request',
        line: `${name} no longer takes ${value}`,
        value,
      })),
    )
    changes.push(...added.map((value) => ({ used: used && side === 'answer', line: `${name} may be ${value} now` })))
  } else if (after && side === 'request') {
    changes.push({ used, line: `${name} takes only ${after.join(', ')} now` })
  }
  if (side === 'request') {
    for (const bound of ['minimum', 'maximum'] as const) {
      if (now[bound] !== undefined && now[bound] !== old[bound])
        changes.push({ used, line: `${name} has the ${bound} ${now[bound]} now` })
    }
  }
  return changes
}

/** Returns the allowed values of a schema or its list entries; undefined if any are allowed. */
function valuesOf(schema: Schema): unknown[] | undefined {
  return schema.enum ?? schema.items?.enum
}
