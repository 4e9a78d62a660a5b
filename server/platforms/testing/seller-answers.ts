import { type Examined, examineListing } from '#server/listings/examine-listing.ts'
import type { ListingOptions } from '#shared/contract/listings.ts'
import type { Finding } from '#shared/contract/preflight.ts'
import type { ListingPort, PublishRequest, ShopAccess } from '../port.ts'

/** Rounds of questions and answers: category, then its condition, then the descriptors of that. */
const rounds = 5

/** A source of numbers from 0 to 1 that a seed decides. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state ^ (state >>> 15), state | 1) + 0x6d2b79f5) >>> 0
    return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Examines a listing, without sending it. */
export function examine(port: ListingPort, access: ShopAccess, item: PublishRequest): Promise<Examined> {
  return examineListing(
    { port, access, platformName: 'the platform' },
    {
      given: item.options as ListingOptions,
      defaults: {},
      requestWith: (options) => ({ ...item, options }),
      maxAgeMs: 60_000,
    },
  )
}

export const isReady = (findings: readonly Finding[]) => !findings.some(({ blocking }) => blocking)

/**
 * Answers blocking findings as a seller would who sees nothing but them: a value that is allowed, or free text. Returns
 * the item with its complete options, and the findings that are left.
 */
export async function answerFindings(
  port: ListingPort,
  access: ShopAccess,
  item: PublishRequest,
  random: () => number,
): Promise<{ item: PublishRequest; findings: Finding[] }> {
  let options = item.options as ListingOptions
  for (let round = 1; ; round++) {
    const examined = await examine(port, access, { ...item, options })
    const answerable = examined.findings.filter(({ blocking, field }) => blocking && field.startsWith('options.'))
    if (answerable.length === 0 || round === rounds) {
      return { item: { ...item, options: examined.options }, findings: examined.findings }
    }
    for (const { field, allowed = [] } of answerable) {
      const value = allowed[Math.floor(random() * allowed.length)]?.id ?? freeText(field)
      options = withOption(options, field.slice('options.'.length), value)
    }
  }
}

const freeText = (field: string) => (/weight|parcel/.test(field) ? '450' : 'Something')

function withOption(options: ListingOptions, name: string, value: string): ListingOptions {
  const [, group, member] = /^(aspects|condition_descriptors)\.(.+)$/.exec(name) ?? []
  if (group === 'aspects') return { ...options, aspects: { ...options.aspects, [member!]: [value] } }
  if (group === 'condition_descriptors') {
    return { ...options, condition_descriptors: { ...options.condition_descriptors, [member!]: value } }
  }
  return { ...options, [name]: value }
}
