import { text } from '#extension/i18n/text.ts'
import { useHost } from '../host.ts'

/** Says how many details of listings differ from the items. It can wait, so it stands below what needs the seller. */
export function DifferencesRow({ count }: { count: number }) {
  const { page } = useHost()
  if (count === 0) return null
  return (
    <section class="part" aria-label={text('differences.title')}>
      <ul class="rows">
        <li>
          <p class="grow">{text('differences.row', { n: count })}</p>
          <a class="button" href={`${page}#differences`} target={page ? '_blank' : undefined}>
            {text('differences.review')}
          </a>
        </li>
      </ul>
    </section>
  )
}
