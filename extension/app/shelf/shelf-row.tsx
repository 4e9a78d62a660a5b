import { dayOf } from '../common/format.ts'
import { text } from './room-words.ts'
import { isDue, readShelfCheck } from './shelf-check.ts'

/** Leads to today's shelf check while it is wanted and not done. */
export function ShelfRow() {
  if (!isDue(readShelfCheck(), dayOf(new Date()))) return null
  return (
    <section class="part" aria-label={text('palette.shelf')}>
      <ul class="rows">
        <li>
          <p class="grow">{text('home.shelf')}</p>
          <a class="button" href="#shelf">
            {text('palette.shelf')}
          </a>
        </li>
      </ul>
    </section>
  )
}
