import { isConnected, type PlatformHealth } from '#extension/messaging/overview.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { PlatformIcon } from '../components/platform-icon.tsx'
import { extensionPage, useHost } from '../host.ts'
import { ConnectLink } from '../shops/connect-link.tsx'
import { text } from './words.ts'

/** The first steps of a newcomer: connect a shop, import it, and what needs the extension. */
export function GetStarted(props: {
  platforms: readonly PlatformHealth[]
  busy: string | null
  /** Nothing was imported or added yet. */
  isNew: boolean
  onImport: (platform: PlatformSlug) => void
}) {
  const host = useHost()
  const { busy, isNew } = props
  const oauth = props.platforms.filter(({ connection }) => connection === 'oauth')
  const read = props.platforms.filter(({ connection }) => connection === 'extension')
  const hasShop = oauth.some(({ health }) => isConnected(health))
  return (
    <section class="part started" aria-labelledby="started">
      <h2 id="started">{text(hasShop ? 'started.title_import' : 'empty.title')}</h2>
      <p class="soft">{text('started.text')}</p>
      <ul class="rows">
        {oauth.map(({ slug, name, health }) => (
          <li key={slug}>
            <PlatformIcon platform={slug} size={24} />
            <strong class="grow">{name}</strong>
            {isConnected(health) ? (
              <button
                type="button"
                class="main"
                aria-disabled={busy !== null}
                aria-label={`${text('started.import')}, ${name}`}
                onClick={() => busy === null && props.onImport(slug)}
              >
                {text('started.import')}
              </button>
            ) : (
              (slug === 'ebay' || slug === 'etsy') && (
                <ConnectLink platform={slug} name={name} words={text('shop.connect')} />
              )
            )}
          </li>
        ))}
        {read.length > 0 && (
          <li>
            <div class="grow">
              <span class="icons">
                {read.map(({ slug }) => (
                  <PlatformIcon key={slug} platform={slug} />
                ))}
              </span>
              <strong class="block">{new Intl.ListFormat('en').format(read.map(({ name }) => name))}</strong>
              <p class="soft">{text(host.hasExtension ? 'started.closet' : 'started.extension')}</p>
            </div>
            {!host.hasExtension && (
              <a class="button" href={extensionPage(host)}>
                {text('shop.get_extension')}
              </a>
            )}
          </li>
        )}
      </ul>
      {isNew && (
        <p class="links">
          <a href="#new">{text('started.item')}</a>
          <a href="#files">{text('started.file')}</a>
        </p>
      )}
    </section>
  )
}
