import { XMLParser } from 'fast-xml-parser'
import { z } from 'zod'
import { AddAnswer, ShippingServices } from '#server/integrations/ebay/publish/add-wire.ts'
import {
  GetItemAnswer,
  GetMyeBaySellingAnswer,
  GetSellerListAnswer,
  TradingAnswer,
  WireItem,
} from '#server/integrations/ebay/wire.ts'
import type { Change } from './compare.ts'
import { pathsRead } from './paths-read.ts'
import type { Sent } from './sent.ts'

/*
 * The Trading API has an XML schema (eBaySvc.xsd, also inside the WSDL): complex types with ordered elements, and lists
 * of values.
 */

/** Calls of the Trading API, with the schemas that read their answers. `at` is the schema's place in the answer. */
export const tradingCalls: Record<string, { at: string; schema: z.ZodType }[]> = {
  GetItem: [
    { at: '', schema: GetItemAnswer },
    { at: 'Item', schema: WireItem },
  ],
  GetMyeBaySelling: [
    { at: '', schema: GetMyeBaySellingAnswer },
    { at: 'ActiveList.ItemArray.Item', schema: WireItem.pick({ ItemID: true, Title: true, ListingDetails: true }) },
    { at: 'SoldList.OrderTransactionArray.OrderTransaction.Transaction.Item', schema: WireItem.pick({ ItemID: true }) },
  ],
  GetSellerList: [
    { at: '', schema: GetSellerListAnswer },
    { at: 'ItemArray.Item', schema: WireItem },
  ],
  GetOrders: [],
  GeteBayDetails: [{ at: '', schema: ShippingServices }],
  AddFixedPriceItem: [{ at: '', schema: AddAnswer }],
  VerifyAddFixedPriceItem: [{ at: '', schema: AddAnswer }],
  EndFixedPriceItem: [],
  EndItem: [],
  ReviseFixedPriceItem: [],
  ReviseItem: [],
}

const TypeOfSchema = z.object({
  /** The base type, whose elements come first. */
  base: z.string().optional(),
  /** Names and types, in order. */
  elements: z.array(z.tuple([z.string(), z.string()])).optional(),
  values: z.array(z.string()).optional(),
})
type TypeOfSchema = z.output<typeof TypeOfSchema>

export const KeptTrading = z.object({
  source: z.string(),
  version: z.string(),
  types: z.record(z.string(), TypeOfSchema),
})
export type KeptTrading = z.output<typeof KeptTrading>

const attributes = '@'
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: attributes,
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  // The documentation has more entities than the parser allows by default.
  processEntities: false,
  stopNodes: ['*.annotation'],
  isArray: (name) => ['complexType', 'simpleType', 'element', 'enumeration', 'schema'].includes(name),
})

interface XsdNode {
  [name: string]: unknown
}

/**
 * Returns the types of the adapter's calls from the text of a schema or WSDL. Types inside an item keep only
 * the elements that the adapter sends, and answer types those that it reads. Throws an Error for any other text.
 */
export function keptTradingOf(text: string, of: { source: string; version: string }, sent: Sent): KeptTrading {
  const all = typesOf(parser.parse(text) as XsdNode)
  const types: Record<string, TypeOfSchema> = {}
  for (const call of Object.keys(tradingCalls)) {
    copyRequest(`${call}RequestType`)
    for (const path of sent[call]?.body ?? []) copyPath(`${call}RequestType`, path.replaceAll('[]', ''))
  }
  for (const [call, reads] of Object.entries(tradingCalls)) {
    for (const path of [...pathsOf([{ at: '', schema: TradingAnswer }]), ...pathsOf(reads)])
      copyPath(`${call}ResponseType`, path)
  }
  if (!types.GetItemRequestType) throw new Error('The document is no schema of the Trading API.')
  return { ...of, types }

  /** Keeps a request's types, except for those inside an item. */
  function copyRequest(name: string): void {
    const type = all.get(name)
    if (!type || types[name]) return
    types[name] = type
    if (type.base) copyRequest(type.base)
    if (name === 'ItemType') return
    for (const [, of] of type.elements ?? []) copyRequest(of)
  }

  function copyPath(name: string, path: string): void {
    let at = name
    for (const step of path.split('.')) {
      for (let base: string | undefined = at; base && all.has(base); base = all.get(base)?.base) {
        const type: TypeOfSchema = all.get(base)!
        const found = type.elements?.find(([element]) => element === step)
        const kept = types[base] ?? { ...(type.base ? { base: type.base } : {}), elements: [] }
        types[base] = kept
        if (!found) continue
        // Keep the schema's order.
        kept.elements = type.elements?.filter((one) => one === found || kept.elements?.includes(one))
        at = found[1]
        const values = all.get(at)?.values
        if (values) types[at] = { values }
        break
      }
    }
  }
}

function typesOf(document: XsdNode): Map<string, TypeOfSchema> {
  const types = new Map<string, TypeOfSchema>()
  const open: unknown[] = [document]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (Array.isArray(node)) open.push(...node)
    else if (typeof node === 'object' && node !== null) {
      const { complexType = [], simpleType = [], ...others } = node as XsdNode
      for (const one of complexType as XsdNode[]) types.set(String(one[`${attributes}name`]), complexOf(one))
      for (const one of simpleType as XsdNode[]) types.set(String(one[`${attributes}name`]), simpleOf(one))
      open.push(...Object.values(others))
    }
  }
  return types
}

function complexOf(type: XsdNode): TypeOfSchema {
  const content = (type.complexContent ?? {}) as { extension?: XsdNode; restriction?: XsdNode }
  const inner = content.extension ?? content.restriction ?? type
  const base = content.extension ? localName(content.extension[`${attributes}base`]) : undefined
  const sequence = (inner.sequence ?? {}) as { element?: XsdNode[] }
  const elements = (sequence.element ?? []).map((element): [string, string] => [
    String(element[`${attributes}name`]),
    localName(element[`${attributes}type`]),
  ])
  return { ...(base ? { base } : {}), elements }
}

function simpleOf(type: XsdNode): TypeOfSchema {
  const { enumeration = [] } = (type.restriction ?? {}) as { enumeration?: XsdNode[] }
  return { values: enumeration.map((one) => String(one[`${attributes}value`])) }
}

const localName = (name: unknown) =>
  String(name ?? '')
    .split(/[:}]/)
    .at(-1) ?? ''

function pathsOf(reads: { at: string; schema: z.ZodType }[]): string[] {
  return reads.flatMap(({ at, schema }) =>
    pathsRead(schema, 'output')
      .map((path) => path.replaceAll('[]', ''))
      .filter((path) => !/[@#]/.test(path))
      .map((path) => (at === '' ? path : `${at}.${path}`)),
  )
}

/** Returns the elements of a call's answer that are read although the schema does not have them. */
export function unknownReads(kept: KeptTrading, call: string): string[] {
  const paths = [...pathsOf([{ at: '', schema: TradingAnswer }]), ...pathsOf(tradingCalls[call] ?? [])]
  return [...new Set(paths)].filter((path) => typeAt(kept, `${call}ResponseType`, path) === undefined)
}

/** Returns the elements of a type in order, after those of its base. */
export function elementsOf(kept: KeptTrading, name: string): [string, string][] {
  const type = kept.types[name]
  if (!type) return []
  return [...(type.base ? elementsOf(kept, type.base) : []), ...(type.elements ?? [])]
}

function typeAt(kept: KeptTrading, name: string, path: string): string | undefined {
  return path.split('.').reduce<string | undefined>((at, step) => {
    if (at === undefined) return undefined
    return elementsOf(kept, at).find(([element]) => element === step)?.[1]
  }, name)
}

/** Returns the differences of a newer schema in what is sent and read. */
export function compareTrading(kept: KeptTrading, newer: KeptTrading, sent: Sent): Change[] {
  const changes: Change[] = []
  for (const [call, reads] of Object.entries(tradingCalls)) {
    const request = `${call}RequestType`
    if (!kept.types[request]) continue
    if (!newer.types[request]) {
      changes.push({ used: true, line: `${call}: the call was removed` })
      continue
    }
    const names = new Set(elementsOf(kept, request).map(([name]) => name))
    for (const [name] of elementsOf(newer, request)) {
      if (!names.has(name)) changes.push({ used: false, line: `${call}: ${name} is new in the request` })
    }
    for (const path of sent[call]?.body ?? []) {
      const [old, now] = [typeAt(kept, request, path), typeAt(newer, request, path)]
      if (old !== undefined && now === undefined) {
        changes.push({ used: true, line: `${call}: ${path} was removed from the request` })
      }
      const gone = valuesOf(kept, old).filter((value) => now !== undefined && !valuesOf(newer, now).includes(value))
      changes.push(...gone.map((value) => ({ used: true, line: `${call}: ${path} no longer takes ${value}` })))
    }
    for (const path of new Set(pathsOf(reads))) {
      const [old, now] = [typeAt(kept, `${call}ResponseType`, path), typeAt(newer, `${call}ResponseType`, path)]
      if (old === undefined) continue
      if (now === undefined) changes.push({ used: true, line: `${call}: the answer no longer has ${path}` })
      const added = valuesOf(newer, now).filter((value) => !valuesOf(kept, old).includes(value))
      changes.push(
        ...added.map((value) => ({ used: true, line: `${call}: ${path} of the answer may be ${value} now` })),
      )
    }
  }
  return changes
}

const valuesOf = (kept: KeptTrading, type: string | undefined) => (type && kept.types[type]?.values) || []
