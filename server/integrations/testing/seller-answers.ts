import type { createDice } from '#server/sandbox/ebay/shop.ts'
import { type Examined, examineListing } from '#server/selling/listings/preflight/examine-listing.ts'
import type { ListingOptions } from '#shared/contract/selling/listings.ts'
import type { Finding } from '#shared/contract/selling/preflight.ts'
import type { ListingPort, PublishRequest, ShopAccess } from '../port.ts'

/** Rounds of questions and answers: category, then its condition, then the condition's descriptors. */
const rounds = 5

type Dice = ReturnType<typeof createDice>

/** Runs a preflight without publishing. */
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
 * Answers blocking findings as a seller would, with an allowed value or free text. Returns the item with complete
 * options, and the remaining findings.
 */
export async function answerFindings(
  port: ListingPort,
  access: ShopAccess,
  item: PublishRequest,
  dice: Dice,
): Promise<{ item: PublishRequest; findings: Finding[] }> {
  let options = item.options as ListingOptions
  for (let round = 1; ; round++) {
    const examined = await examine(port, access, { ...item, options })
    const answerable = examined.findings.filter(({ blocking, field }) => blocking && field.startsWith('options.'))
    if (answerable.length === 0 || round === rounds) {
      return { item: { ...item, options: examined.options }, findings: examined.findings }
    }
    for (const { field, message, allowed = [] } of answerable) {
      const value = allowed.length > 0 ? dice.pick(allowed).id : freeText(field, message)
      options = withOption(options, field.slice('options.'.length), value)
    }
  }
}

const freeText = (field: string, message: string) =>
  /weight|parcel/.test(field) ? '450' : (/such as ([\d.]+)/.exec(message)?.[1] ?? 'Something')

function withOption(options: ListingOptions, name: string, value: string): ListingOptions {
  const [, group, member] = /^(aspects|condition_descriptors)\.(.+)$/.exec(name) ?? []
  if (group === 'aspects') return { ...options, aspects: { ...options.aspects, [member!]: [value] } }
  if (group === 'condition_descriptors') {
    return { ...options, condition_descriptors: { ...options.condition_descriptors, [member!]: value } }
  }
  return { ...options, [name]: value }
}

/**
 * Publishes generated items one by one, each after its preflight has no blocking finding. Returns their options, the
 * platform's refusals, and how many items first lacked something.
 */
export async function listGenerated(
  port: ListingPort,
  given: { count: number; generate: (index: number) => PublishRequest; accessOf: (index: number) => ShopAccess },
  dice: Dice,
) {
  const listed: ListingOptions[] = []
  const refused: string[] = []
  let lackedAtFirst = 0
  for (let index = 0; index < given.count; index++) {
    const access = given.accessOf(index)
    const made = given.generate(index)
    if (!isReady((await examine(port, access, made)).findings)) lackedAtFirst++
    const { item, findings } = await answerFindings(port, access, made, dice)
    if (!isReady(findings)) refused.push(`${item.title}: not ready, ${JSON.stringify(findings)}`)
    await port
      .publish(access, item, async () => {})
      .catch((error: Error) => refused.push(`${item.title}: ${error.message}`))
    listed.push(item.options as ListingOptions)
  }
  return { listed, refused, lackedAtFirst }
}
