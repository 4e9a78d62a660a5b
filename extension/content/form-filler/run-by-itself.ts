import type { ContentScriptContext } from 'wxt/utils/content-script-context'
import { text, textIfAny } from '#extension/i18n/content-text.ts'
import type { ToTakeDown } from '#extension/messaging/tab-tasks.ts'
import type { ByItself } from '#extension/messaging/take-downs.ts'
import type { Ask, SellForm } from '#extension/platforms/sell-form/form.ts'
import { press } from '#extension/platforms/sell-form/touch.ts'
import { type Ending, endByItself } from './end-by-itself.ts'
import type { Panel, PanelView } from './panel.ts'
import { sendWithRetry } from './send-with-retry.ts'

/** Ends the listing that this tab was opened for, and tells the worker how it ended. `onEnd`: look at the page anew. */
export function createByItself(
  page: ContentScriptContext,
  tools: { panel: Panel; form: SellForm; ask: Ask; account: () => Promise<string | null>; onEnd: () => void },
) {
  const { panel, form, ask, account } = tools
  let running: string | null = null
  /** The listing that this page leaves to the seller, and the next step. */
  let left: { task: ToTakeDown; next: string } | null = null
  let takenOver = false

  // Pages can synthesize events, and so do we. Only the seller's are trusted.
  for (const name of ['pointerdown', 'keydown'] as const) {
    const takeOver = (event: Event) => {
      if (!running || takenOver || !event.isTrusted) return
      takenOver = true
      void report(running, { result: 'taken_over', seen: null }).catch(() => null)
    }
    page.addEventListener(document, name, takeOver, { capture: true })
  }

  async function report(task: string, ending: Ending): Promise<void> {
    if (ending === 'down') await sendWithRetry('page.down', { task })
    else if (ending) await sendWithRetry('page.stopped', { task, ...ending })
    running = null
    tools.onEnd()
  }

  async function run(byItself: ByItself): Promise<void> {
    const { task } = byItself
    running = task.task
    const { reason, title } = task
    panel.show({ tone: 'plain', status: text('down.title', { reason, title }), note: text('down.by_itself') })
    const ending = await endByItself(byItself, {
      ...{ form, ask, account, press },
      location: () => new URL(location.href),
      pause: (ms) => new Promise((resolve) => page.setTimeout(() => resolve(), ms)),
      goTo: (url) => (url === location.href ? location.reload() : location.assign(url)),
      random: Math.random,
      mayPress: (step, word) =>
        sendWithRetry('page.mayPress', { task: task.task, press: crypto.randomUUID(), step, word }),
      goesOn: () => page.isValid && !takenOver,
    })
    const next = ending && ending !== 'down' ? textIfAny(`downs.next.${ending.result}`) : null
    left = next ? { task, next } : null
    if (ending) await report(task.task, ending)
  }

  return {
    /** Returns the next step of a listing that was left to the seller here, or null. */
    nextStep: (task: string): string | null => (left?.task.task === task ? left.next : null),
    /** Returns what a page shows that is not the listing's, or null. `open`: the tasks to end a listing. */
    view(open: readonly ToTakeDown[]): PanelView | null {
      if (!left || !open.some(({ task }) => task === left?.task.task)) return null
      const { next, task } = left
      const toListing = { label: text('fill.open_listing'), main: true, act: () => location.assign(task.url) }
      return { tone: 'warn', status: text('down.title', task), note: next, actions: [toListing] }
    },
    /** Returns true while this tab ends a listing by itself. */
    look(byItself: ByItself | null): boolean {
      if (running) return true
      if (!byItself || takenOver) return false
      void run(byItself).catch(() => {
        // The worker is gone for good or the page threw: the worker notices that nothing happens.
        running = null
      })
      return true
    },
  }
}
