import { accountText as text } from '#extension/i18n/account-text.ts'
import { useRequest } from '#extension/ui/hooks/use-request.ts'
import { getSettings, putSettings } from '#shared/contract/inventory.ts'
import { alertKinds } from '#shared/contract/orders.ts'
import { callAccount } from './call.ts'
import { useAccountAction } from './use-account-action.tsx'

/** Kinds of alerts that are mailed. Each change is saved at once. */
export function AlertMails() {
  const request = useRequest('settings', () => callAccount(getSettings, {}))
  const { busy, act, notices } = useAccountAction()
  if (request.state === 'loading') return null
  return (
    <section class="part" aria-labelledby="mails">
      <h2 id="mails">{text('mails.title')}</h2>
      <p class="soft">{text('mails.text')}</p>
      {notices}
      {request.state === 'failed' ? (
        <p class="bad">{request.message}</p>
      ) : (
        alertKinds.map((kind) => (
          <label key={kind} class="check">
            <input
              type="checkbox"
              checked={request.value.alert_mails.includes(kind)}
              disabled={busy}
              onChange={(event) => {
                const kinds = event.currentTarget.checked
                  ? [...request.value.alert_mails, kind]
                  : request.value.alert_mails.filter((one) => one !== kind)
                void act(async () => {
                  // Read again: the kinds of notifications are saved with the same request.
                  const now = await callAccount(getSettings, {})
                  await callAccount(putSettings, { body: { ...now, alert_mails: kinds } })
                  request.again()
                })
              }}
            />
            {text(`mails.${kind}`)}
          </label>
        ))
      )}
    </section>
  )
}
