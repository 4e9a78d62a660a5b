import type { Overview } from '#extension/messaging/overview.ts'
import { ageOf } from '#extension/ui/age-of.ts'
import { ShopRow } from '#extension/ui/components/shop-row.tsx'
import type { PlatformSlug } from '#shared/platforms.ts'

/** All platforms with their shop, health and action. */
export function ShopRows(props: {
  overview: Overview
  busy: string | null
  isImporting: (platform: PlatformSlug) => boolean
  onImport: (platform: PlatformSlug) => void
}) {
  const { overview, busy } = props
  return (
    <ul class="rows">
      {overview.platforms.map((platform) => (
        <ShopRow
          key={platform.slug}
          platform={platform}
          age={ageOf(platform, overview)}
          importing={busy === platform.slug || props.isImporting(platform.slug)}
          onImport={() => props.onImport(platform.slug)}
        />
      ))}
    </ul>
  )
}
