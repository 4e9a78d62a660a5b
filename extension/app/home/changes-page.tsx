import { useState } from 'preact/hooks'
import { errorText } from '#extension/messaging/error-text.ts'
import type { Change } from '#shared/contract/catalog/changes.ts'
import { platformOf } from '#shared/platforms.ts'
import { whenText } from '../common/format.ts'
import { Notice } from '../components/notice.tsx'
import { More, Pending } from '../components/pending.tsx'
import { Thumb } from '../components/thumb.tsx'
import { needsQuestion, UndoQuestion } from '../components/undo-question.tsx'
import { offerUndo, undoneText, useUndone } from '../components/undo-toast.tsx'
import { useAction, useRequest } from '../hooks/use-request.ts'
import { call } from '../host.ts'
import { text } from './changes-words.ts'

/** Acts of the last 30 days, with buttons that undo them. */
export function ChangesPage(props: { onChanged: () => void }) {
  const [pages, setPages] = useState(1)
  const request = useRequest(`changes ${pages}`, () => readPages(pages))
  const { busy, late, act } = useAction()
  const [asked, setAsked] = useState<Change | null>(null)
  useUndone(request.again)
  const undo = (change: Change) =>
    act(change.uid, async () => {
      // As a toast: a line above would move another row's button under the pointer.
      const say = (words: string) => offerUndo(words, null)
      await call('undoChange', { params: { uid: change.uid } }).then(
        (done) => say(undoneText(done)),
        (error: unknown) => say(errorText(error)),
      )
      request.again()
      props.onChanged()
    })
  return (
    <main class="page item cards changes" aria-busy={request.state === 'loading'}>
      <div class="part">
        <h1 tabIndex={-1}>{text('palette.changes')}</h1>
        <p class="soft">{text('changes.text')}</p>
      </div>
      {late && <Notice tone="plain">{text('loading.slow')}</Notice>}
      <Pending of={request} />
      {request.state === 'ready' && request.value.count === 0 && (
        <div class="center">
          <p>{text('changes.none')}</p>
        </div>
      )}
      {request.state === 'ready' && request.value.count > 0 && (
        <ul class="part rows">
          {request.value.results.map((change) => (
            <Row
              key={change.uid}
              change={change}
              busy={busy}
              onUndo={() => (needsQuestion(change.count) ? setAsked(change) : void undo(change))}
            />
          ))}
        </ul>
      )}
      {request.state === 'ready' && request.value.results.length < request.value.count && (
        <More onMore={() => setPages(pages + 1)} />
      )}
      {asked && (
        <UndoQuestion
          n={asked.count}
          ofImport={asked.kind === 'import_job' || asked.kind === 'create'}
          onClose={() => setAsked(null)}
          onUndo={() => void undo(asked)}
        />
      )}
    </main>
  )
}

function Row({ change, busy, onUndo }: { change: Change; busy: string | null; onUndo: () => void }) {
  const { kind, count, title, inventory_item_uid, marketplace } = change
  const platform = marketplace ? platformOf(marketplace).name : ''
  const what =
    kind === 'mark_sold' ? text('changes.mark_sold', { n: count }) : text(`changes.${kind}`, { n: count, platform })
  return (
    <li>
      <Thumb src={change.image} />
      <div class="grow">
        <p>
          <strong>{what}</strong>
        </p>
        {count === 1 && title && (
          <p class="cut">{inventory_item_uid ? <a href={`#item/${inventory_item_uid}`}>{title}</a> : title}</p>
        )}
        <p class="soft">{whenText(Date.parse(change.at))}</p>
      </div>
      {change.can_undo ? (
        <button
          type="button"
          aria-disabled={busy !== null}
          aria-label={`${text('undo')}, ${what}${count === 1 && title ? `, ${title}` : ''}`}
          onClick={onUndo}
        >
          {text(busy === change.uid ? 'working' : 'undo')}
        </button>
      ) : (
        <span class="soft">{text('changes.undone')}</span>
      )}
    </li>
  )
}

async function readPages(pages: number): Promise<{ count: number; results: Change[] }> {
  const read = await Promise.all(
    Array.from({ length: pages }, (_, index) =>
      call('listChanges', { query: { page: String(index + 1), page_size: '50' } }),
    ),
  )
  return { count: read[0]?.count ?? 0, results: read.flatMap(({ results }) => results) }
}
