import { TriangleAlert } from 'lucide-preact'
import type { Overview, PlatformHealth } from '#extension/messaging/overview.ts'
import { text } from './room-words.ts'
import './sale-mail.css'

/** The id by which the seller puts away that a marketplace's sale mails stay away. It is another one after each mail. */
const silenceId = ({ slug, answer }: PlatformHealth): string =>
  `sale mail ${slug} ${answer?.sale_mail?.last_at ?? 'never'}`

/**
 * A row for each marketplace whose sale mails have stopped although listings are live there. With `onDismiss`, those put
 * away are left out.
 */
export function SilentMailRows(props: {
  overview: Overview
  busy?: boolean
  /** The screen of sale mail shows them. */
  isHere?: boolean
  onDismiss?: (id: string) => void
}) {
  const { overview, busy = false, onDismiss } = props
  const silent = overview.platforms.filter(
    (platform) =>
      platform.answer?.sale_mail?.state === 'silent' &&
      !(onDismiss && overview.dismissed.includes(silenceId(platform))),
  )
  if (silent.length === 0) return null
  return (
    <section class="part" aria-label={text('palette.mail')}>
      <ul class="rows">
        {silent.map((platform) => (
          <li key={platform.slug} class="silent">
            <TriangleAlert class="sign" size={18} aria-hidden="true" />
            <div class="grow">
              <p>{silentText(platform)}</p>
              <p class="soft">{text('silent_hint')}</p>
            </div>
            {onDismiss && (
              <button
                type="button"
                class="quiet"
                aria-disabled={busy}
                aria-label={`${text('dismiss')}, ${platform.name}`}
                onClick={() => !busy && onDismiss(silenceId(platform))}
              >
                {text('dismiss')}
              </button>
            )}
            {!props.isHere && (
              <a class="button" href="#sale-mail" aria-label={`${text('review')}, ${platform.name}`}>
                {text('review')}
              </a>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Says that sale mails of a marketplace stay away. */
const silentText = ({ name, answer }: PlatformHealth): string =>
  text('silent', { platform: name, n: answer?.sale_mail?.live_listings ?? 0 })

/** Leads to sale mail, and names the shops whose sales it would tell of with the browser closed. */
export function SaleMailLink({ overview }: { overview: Overview }) {
  const without = overview.platforms.filter(({ answer }) => {
    const { state, live_listings = 0 } = answer?.sale_mail ?? {}
    return state === 'off' && live_listings > 0
  })
  const platforms = new Intl.ListFormat('en').format(without.map(({ name }) => name))
  return (
    <section class="part">
      <h2>{text('palette.mail')}</h2>
      <p class="soft">
        {without.length > 0 && `${text('offer', { platforms })} `}
        <a href="#sale-mail">{text(without.length > 0 ? 'turn_on' : 'lead')}</a>
      </p>
    </section>
  )
}
