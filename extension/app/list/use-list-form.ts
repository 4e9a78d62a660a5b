import { useEffect, useRef, useState } from 'preact/hooks'
import { sendAgain } from '#extension/messaging/send-again.ts'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import type { ListingResult } from '#shared/contract/selling/listings.ts'
import { decimalFromMinor } from '#shared/money.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import { maxPriceMinor, priceOnPlatform } from '#shared/price-change.ts'
import { amountText, readAmount } from '../common/amount.ts'
import { failureAction } from '../common/failure-action.ts'
import { sellerSettings } from '../common/own-units.ts'
import { useAction } from '../hooks/use-request.ts'
import { useReturn } from '../hooks/use-return.ts'
import { call, MessageError, send } from '../host.ts'
import {
  type Answers,
  answersOf,
  deciding,
  decidingOf,
  fieldsOf,
  missingOf,
  optionsOf,
  replacedOf,
} from './choice-form.ts'
import { usePreflight } from './preflight-notes.tsx'
import { choicesOf, searchCategories } from './read-choices.ts'
import { useChoices } from './use-choices.ts'

/** Marks the shop itself as a missing choice. */
export const theShop = 'shop'

/** Marks the price as a missing choice. */
export const thePrice = 'price'

/** Answers kept when the seller leaves the form, to restore later. */
export interface Draft {
  given: Answers
  shop: string
  /** The price that the seller typed; null: by the platform's rule. */
  typed: string | null
}

/** Keeps the answers of a form that lists an item: asks for the choices, checks the listing, and sends it. */
export function useListForm(props: {
  row: InventoryRow
  platform: OAuthSlug
  draft: Draft | undefined
  onDraft: (draft: Draft) => void
  onListed: (result: ListingResult) => void
}) {
  const { row, platform } = props
  const [given, setGiven] = useState<Answers>(props.draft?.given ?? {})
  const [shop, setShop] = useState(props.draft?.shop ?? '')
  const [typed, setTyped] = useState(props.draft?.typed ?? null)
  const [unchosen, setUnchosen] = useState<readonly string[]>([])
  const form = useRef<HTMLFormElement>(null)
  /** The seller submitted while the choices of another category were still being read. */
  const submitted = useRef(false)
  const ofShop = (uid: string) => (uid === '' ? {} : { seller_account_uid: uid })
  const load = async (answers: Answers, uid: string) => {
    const [choices, settings] = await Promise.all([
      choicesOf(row.uid, platform, { ...decidingOf(answers), ...ofShop(uid) }),
      sellerSettings(),
    ])
    return { choices, rules: settings.price_rules }
  }
  const { known, asking, problem: unasked, ask } = useChoices(() => load(given, shop))
  const { busy, late, problem, code, act, forget } = useAction()

  const choices = known?.choices ?? []
  const answers = answersOf(choices, given)
  const fields = fieldsOf(choices)
  const rule = known?.rules[platform]
  const byRule = priceOnPlatform(row, rule)
  const listPrice = typed === null ? byRule : readAmount(typed, row.currency)
  const isPriced = listPrice !== null && listPrice > 0 && listPrice <= maxPriceMinor
  const findings = usePreflight(
    known === null || asking || !isPriced
      ? null
      : {
          params: { uid: row.uid, slug: platform },
          body: {
            ...{ options: optionsOf(choices, answers), ...ofShop(shop) },
            price: decimalFromMinor(listPrice, row.currency),
          },
        },
  )
  useReturn(() => {
    if (unasked && failureAction(unasked.code, '')) ask(() => load(given, shop))
    if (failureAction(code, '')) forget()
  })
  const severalShops = shop !== '' || unasked?.code === 'seller_account_required'

  const give = (option: string, value: string) => {
    const next: Record<string, string> = { ...given, [option]: value }
    // Categories differ between sites.
    if (option === 'marketplace_id') delete next.category_id
    setGiven(next)
    submitted.current = false
    props.onDraft({ given: next, shop, typed })
    setUnchosen(unchosen.filter((one) => one !== option))
    if (deciding.some((one) => one === option)) {
      ask(() => load({ ...decidingOf(answers), ...next }, shop))
    }
  }
  const chooseShop = (uid: string) => {
    setShop(uid)
    setUnchosen([])
    props.onDraft({ given, shop: uid, typed })
    ask(() => load(given, uid))
  }
  const typePrice = (value: string) => {
    const next = value === amountText(byRule, row.currency) ? null : value
    setTyped(next)
    setUnchosen(unchosen.filter((one) => one !== thePrice))
    props.onDraft({ given, shop, typed: next })
  }
  /** Shows an error beside each missing field and focuses the first. */
  const refuse = (missing: readonly string[]) => {
    setUnchosen(missing)
    requestAnimationFrame(() => {
      const first = form.current?.querySelector<HTMLElement>(
        'input[aria-invalid], select[aria-invalid], button[aria-invalid]',
      )
      first?.focus()
    })
  }
  const lacking = [...(isPriced ? [] : [thePrice]), ...missingOf(choices, answers)]
  const isRefused = findings.some(({ blocking }) => blocking)
  const submit = () => {
    if (severalShops && shop === '') return refuse([theShop])
    if (!known) return
    if (asking) {
      submitted.current = true
      return
    }
    if (lacking.length > 0) return refuse(lacking)
    if (isRefused) return
    void act('list', async () => {
      const options = optionsOf(choices, answers)
      // Without a price, the server applies the rule itself.
      const price = typed === null || listPrice === null ? {} : { price: decimalFromMinor(listPrice, row.currency) }
      const listing = { params: { uid: row.uid, slug: platform }, body: { options, ...price, ...ofShop(shop) } }
      const replaced = replacedOf(choices, answers)
      // Do not save policies of one shop as defaults when the seller has several.
      if (shop === '' && Object.keys(replaced).length > 0) await send('choices.keep', { platform, options: replaced })
      try {
        props.onListed(await sendAgain(() => call('listItem', listing)))
      } catch (error) {
        if (error instanceof MessageError) refuse(named(error, choices))
        throw error
      }
    })
  }
  useEffect(() => {
    if (asking || !submitted.current) return
    submitted.current = false
    if (!unasked) submit()
  }, [asking])
  return {
    ...{ form, fields, answers, unchosen, shop, severalShops, findings },
    // The press still shows what is missing and goes there.
    isLacking: known === null || lacking.length > 0 || isRefused,
    ...{ known, asking, unasked, busy, late, problem, code },
    price: {
      minor: isPriced ? listPrice : byRule,
      text: typed ?? amountText(byRule, row.currency),
      isTyped: typed !== null,
      hasRule: Boolean(rule),
    },
    ...{ give, chooseShop, typePrice, submit },
    lookAgain: () => ask(() => load(answers, shop)),
    searchCategories: (words: string) => searchCategories(platform, words, { ...ofShop(shop), ...site(answers) }),
  }
}

/** Returns the form's options that a server error names. */
function named(error: MessageError, choices: readonly { option: string }[]): string[] {
  const options = error.fields.map((field) => field.replace(/^options\./, ''))
  return options.filter((option) => choices.some((choice) => choice.option === option))
}

const site = ({ marketplace_id }: Answers) => (marketplace_id ? { marketplace_id } : {})
