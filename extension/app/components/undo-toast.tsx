import { X } from 'lucide-preact'
import { useEffect, useState } from 'preact/hooks'
import { errorText } from '#extension/messaging/error-text.ts'
import type { Change } from '#shared/contract/catalog/changes.ts'
import { call } from '../host.ts'
import { IconButton } from './icon-button.tsx'
import { needsQuestion, UndoQuestion } from './undo-question.tsx'
import { text } from './words.ts'

/** How long an offer stays, in ms. The page of recent changes offers it for 30 days. */
const shownMs = 20_000

interface Offer {
  words: string
  /** The change to undo; null once it is undone or refused. */
  change: string | null
  /** Number of items or listings that it is about. */
  n: number
  /** The question before many are undone is open. */
  asks?: boolean
}

let current: Offer | null = null
const viewers = new Set<() => void>()
const followers = new Set<() => void>()

function show(offer: Offer | null): void {
  current = offer
  for (const viewer of viewers) viewer()
}

/** Tells what was done to `n`, with a button that undoes it. `change` null: it cannot be undone. */
export function offerUndo(words: string, change: string | null | undefined, n = 1): void {
  show({ words, change: change ?? null, n })
}

/** Undoes the last act that is still offered. Many at once are asked about first. */
export async function undoLast(): Promise<void> {
  if (!current?.change) return
  if (needsQuestion(current.n)) show({ ...current, asks: true })
  else await undoNow(current.change)
}

async function undoNow(change: string): Promise<void> {
  const say = (words: string) => show({ words, change: null, n: 0 })
  say(text('undo.busy'))
  try {
    say(undoneText(await call('undoChange', { params: { uid: change } })))
    for (const follower of followers) follower()
  } catch (error) {
    say(errorText(error))
  }
}

/** Says what an undo did, and what it left because it changed since. */
export function undoneText(done: {
  undone: number
  kept: number
  reason?: string
  change: Pick<Change, 'kind'>
}): string {
  const { undone, kept, reason, change } = done
  if (kept > 0) return [text('undo.partly', { undone, kept }), reason].filter(Boolean).join('. ')
  return text(change.kind === 'mark_sold' ? 'undo.sale' : 'undo.done')
}

/** Calls `onUndone` after each undo from the toast. */
export function useUndone(onUndone: () => void): void {
  useEffect(() => {
    followers.add(onUndone)
    return () => void followers.delete(onUndone)
  })
}

/** The offer to undo the last act. Stays while it has the pointer or the focus. */
export function UndoToast() {
  const [offer, setOffer] = useState(current)
  const [held, setHeld] = useState(false)
  useEffect(() => {
    const viewer = () => setOffer(current)
    viewers.add(viewer)
    return () => void viewers.delete(viewer)
  }, [])
  useEffect(() => {
    if (!offer || held || offer.asks) return
    const timer = setTimeout(() => show(null), shownMs)
    return () => clearTimeout(timer)
  }, [offer, held])
  return (
    <section
      class={offer ? 'toast' : 'toast none'}
      aria-label={text('undo.label')}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocusCapture={() => setHeld(true)}
      onBlurCapture={() => setHeld(false)}
    >
      <p role="status">{offer?.words}</p>
      {offer?.change && (
        <button type="button" class="link" onClick={() => void undoLast()}>
          {text('undo')}
        </button>
      )}
      {offer?.asks && offer.change && (
        <UndoQuestion
          n={offer.n}
          onClose={() => show(current && { ...current, asks: false })}
          onUndo={() => void undoNow(offer.change!)}
        />
      )}
      {offer && <IconButton icon={X} label={text('close')} onClick={() => show(null)} />}
    </section>
  )
}
