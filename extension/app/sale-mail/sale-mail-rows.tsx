import { TriangleAlert } from 'lucide-preact'
import { text } from '#extension/i18n/text.ts'
import { type PlatformHealth, platformsWithoutMail, silentPlatforms } from '#extension/messaging/overview.ts'

/** A row for each marketplace whose sale mails have stopped. With `onDismiss`, those put away are left out. */
export function SilentMailRows(props: {
  platforms: readonly PlatformHealth[]
  busy?: boolean
  /** The screen of sale mail shows them. */
  isHere?: boolean
  onDismiss?: (platform: PlatformHealth) => void
}) {
  const { busy = false, onDismiss } = props
  const silent = silentPlatforms(props.platforms).filter(({ mail }) => !onDismiss || !mail?.is_dismissed)
  if (silent.length === 0) return null
  return (
    <section class="part" aria-label={text('sale_mail.title')}>
      <ul class="rows">
        {silent.map((platform) => (
          <li key={platform.slug} class="silent">
            <TriangleAlert class="sign" size={18} aria-hidden="true" />
            <div class="grow">
              <p>{silentText(platform)}</p>
              <p class="soft">{text('sale_mail.silent_hint')}</p>
            </div>
            {onDismiss && (
              <button
                type="button"
                class="quiet"
                aria-disabled={busy}
                aria-label={`${text('dismiss')}, ${platform.name}`}
                onClick={() => !busy && onDismiss(platform)}
              >
                {text('dismiss')}
              </button>
            )}
            {!props.isHere && (
              <a class="button" href="#sale-mail" aria-label={`${text('sale_mail.review')}, ${platform.name}`}>
                {text('sale_mail.review')}
              </a>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Says that sale mails of a marketplace stay away. */
const silentText = ({ name, mail }: PlatformHealth): string =>
  text('sale_mail.silent', { platform: name, n: mail?.live_listings ?? 0 })

/** One line that offers sale mail where a sale is seen only with the browser open. */
export function SaleMailOffer({ platforms }: { platforms: readonly PlatformHealth[] }) {
  const without = platformsWithoutMail(platforms)
  if (without.length === 0) return null
  const names = new Intl.ListFormat('en').format(without.map(({ name }) => name))
  return (
    <p class="part soft">
      {text('sale_mail.offer', { platforms: names })} <a href="#sale-mail">{text('sale_mail.turn_on')}</a>
    </p>
  )
}
