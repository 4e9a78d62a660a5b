import { useState } from 'preact/hooks'
import type { Check } from '#shared/contract/catalog/checks.ts'
import { platformOf } from '#shared/platforms.ts'
import { moneyText } from '../common/format.ts'
import { Dialog, DialogButtons } from '../components/dialog.tsx'
import { Checkbox } from '../components/fields.tsx'
import { Pending } from '../components/pending.tsx'
import { useRequest } from '../hooks/use-request.ts'
import { call } from '../host.ts'
import { isOnePress } from './check-card.tsx'
import { text } from './words.ts'

interface Answers {
  onMend: (check: Check) => void
  onDismiss: (check: Check) => void
}

/** All listings below their rules, as one button. A price goes to a marketplace once the seller has seen it beside the old one. */
export function PriceFindings(props: Answers) {
  const [isOpen, setOpen] = useState(false)
  return (
    <p class="links">
      <button type="button" onClick={() => setOpen(true)}>
        {text('checks.prices.review')}
      </button>
      {isOpen && <PricesDialog {...props} onClose={() => setOpen(false)} />}
    </p>
  )
}

function PricesDialog({ onMend, onDismiss, onClose }: Answers & { onClose: () => void }) {
  const request = useRequest('prices', readPrices)
  const [without, setWithout] = useState<ReadonlySet<string>>(new Set())
  const findings = request.state === 'ready' ? request.value : []
  const chosen = findings.filter(({ uid }) => !without.has(uid))
  const answer = (how: (check: Check) => void) => {
    onClose()
    chosen.forEach(how)
  }
  const choose = (uid: string, isChosen: boolean) => {
    const next = new Set(without)
    if (isChosen) next.delete(uid)
    else next.add(uid)
    setWithout(next)
  }
  return (
    <Dialog title={text('checks.kind.price_differs')} onClose={onClose}>
      <Pending of={request} />
      {findings.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keyboard too
        <section class="prices" aria-label={text('checks.prices')} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{text('checks.prices.item')}</th>
                <th scope="col">{text('checks.prices.change')}</th>
              </tr>
            </thead>
            <tbody>
              {findings.map(({ uid, item_title, listings }) => (
                <tr key={uid}>
                  <th scope="row">
                    <Checkbox
                      label={item_title ?? ''}
                      checked={!without.has(uid)}
                      onChange={(isChosen) => choose(uid, isChosen)}
                    />
                  </th>
                  <td>
                    {listings.map((listing) => (
                      <span key={listing.listing_id} class="block">
                        {changeText(listing)}
                      </span>
                    ))}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {chosen.length > 0 && (
        <button type="button" class="quiet" onClick={() => answer(onDismiss)}>
          {text('checks.dismiss_all', { n: chosen.length })}
        </button>
      )}
      <DialogButtons
        onCancel={onClose}
        action={text('checks.all.set_price', { n: chosen.length })}
        isDisabled={chosen.length === 0}
        onAct={() => chosen.length > 0 && answer(onMend)}
      />
    </Dialog>
  )
}

const changeText = ({ marketplace, price_minor, new_price_minor = 0, currency }: Check['listings'][number]) =>
  text('checks.prices.one', {
    platform: platformOf(marketplace).name,
    from: moneyText(price_minor, currency),
    to: moneyText(new_price_minor, currency),
  })

/** Returns the findings about prices that Hapax can mend, of all pages. */
async function readPrices(): Promise<Check[]> {
  const found: Check[] = []
  for (let page = 1; ; page++) {
    const query = { kind: 'price_differs', page: String(page), page_size: '100' } as const
    const { results, count } = await call('listChecks', { query })
    found.push(...results)
    if (results.length === 0 || found.length >= count) break
  }
  return found.filter(isOnePress)
}
