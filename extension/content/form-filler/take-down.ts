import type { ContentScriptContext } from 'wxt/utils/content-script-context'
import { text } from '#extension/i18n/content-text.ts'
import type { TabTasks, ToTakeDown } from '#extension/messaging/tab-tasks.ts'
import type { Ask, SellForm } from '#extension/platforms/sell-form/form.ts'
import {
  beforePress,
  findPress,
  newSession,
  type Press,
  showsListing,
} from '#extension/platforms/take-down/find-press.ts'
import type { Panel } from './panel.ts'
import { errorText, sendWithRetry } from './send-with-retry.ts'

/** How often the page is searched for the next button, in ms. */
const pointEveryMs = 300

/** Time for a listing's page to show the button, in ms. Without one the listing may be gone already. */
const goneAfterMs = 2_000

/** Delays after a click before asking whether the listing has ended, in ms. Sites need time. */
const askAfterMs = [800, 2_500, 6_000, 12_000]

/** Maximum length of a page's own words shown in the panel. */
const maxWordLength = 30

/**
 * Highlights the buttons that end a listing, then confirms with the platform that it ended. Never clicks anything
 * itself.
 */
export function helpTakeDown(
  page: ContentScriptContext,
  tools: {
    panel: Panel
    form: SellForm
    ask: Ask
    /** Returns the next step where Hapax tried it by itself, or null. */
    nextStep: (task: string) => string | null
    onDown: () => void
  },
) {
  const { panel, form, ask, nextStep, onDown } = tools
  let now: ToTakeDown | null = null
  let press: Press | null = null
  /** The presses of the seller on this page. */
  let session = newSession([])
  let pointing: number | undefined
  /** Incremented by each round, which ends the earlier one. */
  let round = 0
  /** The task of the current round. */
  let asking: string | null = null

  page.addEventListener(
    document,
    'click',
    (event) => {
      // Pages can synthesize clicks. Only the seller's count.
      const task = now
      const pressed = event.isTrusted && press && event.composedPath().includes(press.element)
      if (!task || !pressed) return
      session = beforePress(session, press!, form.down, location.pathname)
      // Stored by the worker, since the site may navigate at once.
      void sendWithRetry('page.pressed', { task: task.task }).catch(() => null)
      void pollUntilDown(task).catch(sayWhy)
    },
    { capture: true },
  )

  function leave(): void {
    now = null
    press = null
    session = newSession([])
    round++
    asking = null
    clearInterval(pointing)
  }

  /** Returns the next button. Another page of the tab may have asked the question that a dialog shows. */
  function nextPress(task: ToTakeDown): Press | null {
    const found = [session, newSession([...session.done, 'delete'])].map((one) => {
      return findPress(form.down, task, location.pathname, one)
    })
    return found.find((one) => one !== null && 'element' in one) ?? null
  }

  function point(task: ToTakeDown): void {
    const found = nextPress(task)
    if (found?.element === press?.element && found?.word === press?.word) return
    press = found
    show(task)
  }

  function hint(): string {
    return press ? text('down.press', { word: press.word.slice(0, maxWordLength) }) : text('down.find')
  }

  function show(task: ToTakeDown): void {
    const { reason, title } = task
    const next = nextStep(task.task)
    panel.show({
      tone: next ? 'warn' : 'plain',
      status: text('down.title', { reason, title }),
      note: next ? `${next} ${press ? hint() : ''}`.trim() : hint(),
      actions: [
        ...(press ? [{ label: text('down.show'), main: true, act: showPress }] : []),
        { label: text('down.check'), act: () => void checkNow(task).catch(sayWhy) },
      ],
      highlights: press ? [{ element: press.element.closest('select') ?? press.element, sign: 'press' }] : [],
    })
  }

  function sayWhy(error: unknown): void {
    panel.say(errorText(error))
  }

  function showPress(): void {
    press?.element.scrollIntoView({ block: 'center', behavior: 'instant' })
    press?.element.focus({ preventScroll: true })
  }

  async function stateOf(task: ToTakeDown): Promise<ReturnType<SellForm['readState']>> {
    const answer = await ask(form.stateRequest(task))
    return answer && form.readState(answer, task)
  }

  /** The seller says that the listing has ended. Only the platform's answer counts. */
  async function checkNow(task: ToTakeDown): Promise<void> {
    panel.say(text('down.checking'))
    const state = await stateOf(task)
    if (state === 'down') return reportDown(task)
    if (now !== task) return
    panel.say(state === 'up' ? `${text('down.up')} ${hint()}` : text(state === 'sold' ? 'down.sold' : 'down.unknown'))
  }

  /** Finishes the task of a listing that somebody deleted: its page has no button to point at. */
  async function finishIfGone(task: ToTakeDown): Promise<void> {
    await new Promise((resolve) => page.setTimeout(() => resolve(null), goneAfterMs))
    if (now !== task || press) return
    if ((await stateOf(task)) === 'down' && now === task) await reportDown(task)
  }

  async function pollUntilDown(task: ToTakeDown): Promise<void> {
    const mine = ++round
    asking = task.task
    for (const ms of askAfterMs) {
      await new Promise((resolve) => page.setTimeout(() => resolve(null), ms))
      if (mine !== round || !page.isValid) return
      const state = await stateOf(task)
      if (mine !== round) return
      if (state === 'down') return reportDown(task)
      if (state === 'sold') return panel.say(text('down.sold'))
    }
    asking = null
  }

  async function reportDown(task: ToTakeDown): Promise<void> {
    leave()
    await sendWithRetry('page.down', { task: task.task })
    onDown()
  }

  return {
    leave,
    /** Returns true if the page shows a listing to end, or follows the click that ended it. */
    look({ down, pressed }: TabTasks): boolean {
      const task = down.find((one) => showsListing(form.down, new URL(location.href), one))
      if (task?.task !== now?.task) leave()
      const earlier = down.find((one) => one.task === pressed)
      if (earlier && asking !== earlier.task) void pollUntilDown(earlier).catch(sayWhy)
      if (!task) return false
      if (now) return true
      now = task
      press = nextPress(task)
      show(task)
      pointing = page.setInterval(() => point(task), pointEveryMs)
      void finishIfGone(task).catch(sayWhy)
      return true
    },
  }
}
