import { Check } from 'lucide-preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import { dayOf } from '../common/format.ts'
import { Checkbox } from '../components/fields.tsx'
import { Loading } from '../components/loading.tsx'
import { Notice } from '../components/notice.tsx'
import { Thumb } from '../components/thumb.tsx'
import { offerUndo } from '../components/undo-toast.tsx'
import { useAction } from '../hooks/use-request.ts'
import { checkOf, isDue, keepShelfCheck, notBegun, readShelfCheck, type ShelfCheck } from './shelf-check.ts'
import { withdraw } from './withdraw-now.ts'
import { text } from './words.ts'
import './shelf.css'

/** Ten items a day to look for, in the order of their places. Home reminds of them, and they are kept, once the seller wants it. */
export function ShelfPage(props: { rows: readonly InventoryRow[] | null; onChanged: () => void }) {
  const { rows } = props
  const [isReminded, setReminded] = useState(() => readShelfCheck() !== null)
  const [begun, setBegun] = useState(() => readShelfCheck() ?? notBegun)
  const { busy, problem, act } = useAction()
  const keep = (check: ShelfCheck) => {
    setBegun(check)
    if (isReminded) keepShelfCheck(check)
  }
  const day = dayOf(new Date())
  const check = rows && checkOf(day, begun, rows)
  // Home has no rows to count by. Without items the check of the day is done, too. Kept before the first press can come.
  useLayoutEffect(() => {
    if (check && (check.day !== begun.day || check.uids.length !== begun.uids.length)) keep(check)
  })
  // The pressed button is gone after the answer: on to the next item, or to what says that all are done.
  const seen = check?.seen.length
  useLayoutEffect(() => {
    if (!seen || document.activeElement !== document.body) return
    const next = document.querySelector<HTMLElement>('.shelf .rows button') ?? document.querySelector('.shelf .calm')
    ;(next as HTMLElement | null)?.focus()
  }, [seen])
  const items = check?.uids.flatMap((uid) => rows?.find((row) => row.uid === uid) ?? []) ?? []
  const look = (row: InventoryRow, isHere: boolean) =>
    act(row.uid, async () => {
      if (!check) return
      if (!isHere) offerUndo(text('missing.done', { n: 1 }), await withdraw(row.uid, 'missing'))
      keep({ ...check, seen: [...check.seen, row.uid] })
      if (!isHere) props.onChanged()
    })
  return (
    <main class="page item cards shelf" aria-busy={rows === null}>
      <div class="part">
        <h1 tabIndex={-1}>{text('palette.shelf')}</h1>
        <p class="soft">{text('shelf.text')}</p>
        <Checkbox
          label={text('shelf.want')}
          checked={isReminded}
          onChange={(checked) => {
            setReminded(checked)
            keepShelfCheck(checked ? (check ?? begun) : null)
          }}
        />
      </div>
      {rows === null && <Loading />}
      {problem && <Notice tone="bad">{problem}</Notice>}
      {check && items.length === 0 && <p class="part">{text('shelf.none')}</p>}
      {check && items.length > 0 && (
        <section class="part" aria-label={text('shelf.today')}>
          {!isDue(check, day) && (
            <p class="calm" role="status" tabIndex={-1}>
              <Check size={16} aria-hidden="true" />
              {text('shelf.done')}
            </p>
          )}
          <ul class="rows">
            {items.map((row) => (
              <li key={row.uid}>
                <Thumb src={row.image} />
                <div class="grow">
                  <p>
                    <strong>{row.location ?? text('shelf.no_place')}</strong>
                  </p>
                  <p class="cut">
                    <a href={`#item/${row.uid}`}>{row.title}</a>
                  </p>
                  {row.sku && <p class="soft">{row.sku}</p>}
                </div>
                {check.seen.includes(row.uid) || row.state !== 'available' ? (
                  <span class="soft">
                    {row.state === 'available' ? text('shelf.here') : text(`state.${row.state}`)}
                  </span>
                ) : (
                  <div class="here">
                    <button
                      type="button"
                      aria-label={`${text('shelf.here')}, ${row.title}`}
                      aria-disabled={busy !== null}
                      onClick={() => void look(row, true)}
                    >
                      {text('shelf.here')}
                    </button>
                    <button
                      type="button"
                      aria-label={`${text('shelf.not_here')}, ${row.title}`}
                      aria-disabled={busy !== null}
                      onClick={() => void look(row, false)}
                    >
                      {text('shelf.not_here')}
                    </button>
                  </div>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </main>
  )
}
