import { text } from '#extension/i18n/text.ts'
import { isAsking, newestOf, type ImportRow as Row } from '#extension/messaging/import-row.ts'
import type { Overview } from '#extension/messaging/overview.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { ImportRow } from './import-row.tsx'

/** The newest import of each shop, without those that only ask about listings, which stand above. Nothing while there are none. */
export function ImportList(props: {
  overview: Pick<Overview, 'imports' | 'platforms'>
  /** Opens the listings of an import that has some to show. */
  onLook: (row: Row) => void
  hasMore: (row: Row) => boolean
  onAgain: (platform: PlatformSlug) => void
  onDismiss: (row: Row) => void
  onStop: (row: Row) => void
}) {
  const { platforms } = props.overview
  const imports = newestOf(props.overview.imports).filter((row) => row.phase === 'working' || !isAsking(row))
  if (imports.length === 0) return null
  const platformOf = (slug: string) => platforms.find((platform) => platform.slug === slug)
  return (
    <section class="part" aria-labelledby="imports">
      <h2 id="imports">{text('palette.imports')}</h2>
      <ul class="rows">
        {imports.map((row) => (
          <ImportRow
            key={row.scrape ?? row.id}
            row={row}
            name={platformOf(row.platform)?.name ?? row.platform}
            onLook={props.hasMore(row) ? () => props.onLook(row) : null}
            again={
              row.platform === 'ebay' || row.platform === 'etsy'
                ? { act: () => props.onAgain(row.platform) }
                : { href: row.shop_url ?? platformOf(row.platform)?.url ?? '' }
            }
            onDismiss={() => props.onDismiss(row)}
            onStop={() => props.onStop(row)}
          />
        ))}
      </ul>
    </section>
  )
}
