import { accountText as text } from '#extension/i18n/account-text.ts'
import { getSettings, putSettings } from '#shared/contract/catalog/inventory.ts'
import { alertKinds, pushKinds } from '#shared/contract/selling/orders.ts'
import { Checkbox } from '../components/fields.tsx'
import { useRequest } from '../hooks/use-request.ts'
import { callAccount } from './call-account.ts'
import { useAccountAction } from './use-account-action.tsx'

const kindsOf = { alert_mails: alertKinds, push_kinds: pushKinds }

/** Kinds of alerts that are mailed. */
export function AlertMails() {
  return (
    <section class="part" aria-labelledby="mails">
      <h2 id="mails">{text('mails.title')}</h2>
      <p class="soft">{text('mails.text')}</p>
      <KindChoices of="alert_mails" />
    </section>
  )
}

/** The kinds that a seller is told of by mail or by notification. Each change is saved at once. */
export function KindChoices({ of }: { of: keyof typeof kindsOf }) {
  const request = useRequest('settings', () => callAccount(getSettings, {}))
  const { busy, act, notices } = useAccountAction()
  if (request.state === 'loading') return null
  if (request.state === 'failed') return <p class="bad">{request.message}</p>
  const chosen: readonly string[] = request.value[of]
  return (
    <>
      {notices}
      {kindsOf[of].map((kind) => (
        <Checkbox
          key={kind}
          label={text(kind === 'sale' ? 'push.sale' : `mails.${kind}`)}
          checked={chosen.includes(kind)}
          disabled={busy}
          onChange={(checked) => {
            const kinds = checked ? [...chosen, kind] : chosen.filter((one) => one !== kind)
            void act(async () => {
              // Read again: the other setting is saved with the same request.
              const now = await callAccount(getSettings, {})
              await callAccount(putSettings, { body: { ...now, [of]: kinds } })
              request.again()
            })
          }}
        />
      ))}
    </>
  )
}
