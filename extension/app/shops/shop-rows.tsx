import { text } from '#extension/i18n/text.ts'
import type { Overview, PlatformHealth } from '#extension/messaging/overview.ts'
import type { SellerAccount } from '#shared/contract/connections.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { ageOf } from '../common/age-of.ts'
import { PlatformIcon } from '../components/platform-icon.tsx'
import { extensionPage, useHost } from '../host.ts'
import { ShopRow } from './shop-row.tsx'

/** All platforms with their shop, health and action. Without the extension, those that need it share a row. */
export function ShopRows(props: {
  overview: Overview
  busy: string | null
  isImporting: (platform: PlatformSlug) => boolean
  onImport: (platform: PlatformSlug) => void
  onLeave: (shop: SellerAccount) => void
}) {
  const { overview, busy } = props
  const host = useHost()
  const isMissing = ({ connection, health }: PlatformHealth) =>
    !host.hasExtension && connection === 'extension' && health === 'none'
  const missing = overview.platforms.filter(isMissing)
  return (
    <ul class="rows">
      {overview.platforms
        .filter((platform) => !isMissing(platform))
        .map((platform) => (
          <ShopRow
            key={platform.slug}
            platform={platform}
            age={ageOf(platform, overview)}
            importing={busy === platform.slug || props.isImporting(platform.slug)}
            onImport={() => props.onImport(platform.slug)}
            shops={overview.shops.filter((shop) => shop.platform === platform.slug)}
            lastImport={overview.jobs.find((job) => job.marketplace === platform.slug && job.completed_at) ?? null}
            onLeave={props.onLeave}
          />
        ))}
      {missing.length > 0 && (
        <li>
          <div class="grow">
            <span class="icons">
              {missing.map(({ slug }) => (
                <PlatformIcon key={slug} platform={slug} />
              ))}
            </span>
            <strong class="block">{new Intl.ListFormat('en').format(missing.map(({ name }) => name))}</strong>
            <p class="soft">{text('started.extension')}</p>
          </div>
          <a class="button" href={extensionPage(host)} target="_blank" rel="noreferrer">
            {text('shop.get_extension')}
          </a>
        </li>
      )}
    </ul>
  )
}
