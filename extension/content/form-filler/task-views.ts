import { text } from '#extension/i18n/content-text.ts'
import type { NextTask, TabTasks, ToTakeDown } from '#extension/messaging/tab-tasks.ts'
import type { Outcome, SellForm } from '#extension/platforms/sell-form/form.ts'
import { showsListing } from '#extension/platforms/take-down/find-press.ts'
import type { Action, PanelView } from './panel.ts'
import { highlightsOf, linesOf } from './panel-lines.ts'

export type Current = NonNullable<TabTasks['current']>
export type Done = NonNullable<TabTasks['done']>

/** A filled form and the outcomes of its fields. */
export interface FilledForm {
  current: Current
  outcomes: readonly Outcome[]
}

/** Handlers of the panel's buttons. */
export interface TaskActions {
  start: (task: string, title: string) => void
  next: (task: string) => Promise<void>
  putAway: (task: string) => void
}

/** Maximum number of tasks offered on an empty form. */
const maxOffered = 4

/** Offers the tasks for an empty form, below the result of the last one and the task that follows it elsewhere. */
export function offerView(list: TabTasks['list'], done: Done | null, actions: TaskActions): PanelView {
  const more = list.length - maxOffered
  const next = done?.next
  return {
    tone: done?.refused ? 'warn' : done ? 'good' : 'plain',
    status: done ? doneText(done) : text('fill.offer'),
    note: more > 0 ? text('fill.offer_more', { n: more }) : null,
    lines: list.slice(0, maxOffered).map(({ task, title }) => ({
      sign: 'none',
      label: title,
      action: {
        label: text('fill.start'),
        name: text('fill.start_named', { title }),
        main: list.length === 1,
        act: () => actions.start(task, title),
      },
    })),
    actions: next && !list.some(({ task }) => task === next.task) ? [{ ...goOn(next, actions), main: false }] : [],
  }
}

/** Shows the fields filled so far. */
export function fillingView(title: string, outcomes: readonly Outcome[]): PanelView {
  return {
    tone: 'plain',
    status: text('fill.filling', { title }),
    lines: linesOf(outcomes),
    highlights: highlightsOf(outcomes),
  }
}

/** Shows why the form was not filled. */
export function notFilledView(task: string, title: string, status: string, actions: TaskActions): PanelView {
  const retry = { label: text('fill.retry'), main: true, act: () => actions.start(task, title) }
  return { tone: 'warn', status, actions: [retry, putAway(task, actions)] }
}

/** Shows the outcome of each field, for the seller to complete the form. */
export function filledView({ current, outcomes }: FilledForm, form: SellForm, actions: TaskActions): PanelView {
  return {
    tone: 'plain',
    status: text('fill.filled', {
      n: outcomes.filter(({ result }) => result !== 'left').length,
      total: outcomes.length,
      title: current.title,
    }),
    note: text(form.afterwards),
    lines: linesOf(outcomes),
    actions: [fillAgain(current, actions), putAway(current.task, actions)],
    highlights: highlightsOf(outcomes),
  }
}

/** Shown on the form of a task that was filled on an earlier page. */
export function filledBeforeView(current: Current, actions: TaskActions): PanelView {
  return {
    tone: 'plain',
    status: text('fill.before', { title: current.title }),
    actions: [fillAgain(current, actions), putAway(current.task, actions)],
  }
}

/** Shown after filling while no new listing is in sight. */
export function waitingView({ task, title }: Current, actions: TaskActions): PanelView {
  return { tone: 'plain', status: text('fill.waiting', { title }), actions: [putAway(task, actions)] }
}

/** Shown if the item sold or its task was dismissed meanwhile. */
export function endedView({ task, title }: Current, actions: TaskActions): PanelView {
  return {
    tone: 'warn',
    status: text('fill.ended', { title }),
    note: text('fill.ended_note'),
    actions: [putAway(task, actions)],
  }
}

/** Asks whether a listing is the task's new one. */
export function questionView(title: string, answer: (isNew: boolean) => void): PanelView {
  return {
    tone: 'plain',
    status: text('fill.is_it', { title }),
    actions: [
      { label: text('fill.yes'), main: true, act: () => answer(true) },
      { label: text('fill.no'), act: () => answer(false) },
    ],
  }
}

/** Shows a finished task, with a link to a new listing that must end, or the task that follows. */
export function doneView(done: Done, form: SellForm, actions: TaskActions): PanelView {
  const { again, refused, task, next } = done
  const open = again && openListing(again, form)
  return {
    tone: again || refused ? 'warn' : 'good',
    status: doneText(done),
    actions: [...(open ? [open] : []), ...(next && !again ? [goOn(next, actions)] : []), putAway(task, actions)],
  }
}

function goOn({ task, title, platform }: NextTask, actions: TaskActions): Action {
  return {
    label: text('fill.next', { title, platform }),
    main: true,
    act(button) {
      button.disabled = true
      void actions.next(task).finally(() => {
        button.disabled = false
      })
    },
  }
}

function openListing(listing: ToTakeDown, form: SellForm): Action | null {
  const url = URL.parse(listing.url)
  if (!url || !showsListing(form.down, url, listing)) return null
  return { label: text('fill.open_listing'), main: true, act: () => location.assign(url) }
}

function fillAgain({ task, title }: Current, actions: TaskActions): Action {
  return { label: text('fill.again'), act: () => actions.start(task, title) }
}

function putAway(task: string, actions: TaskActions): Action {
  return { label: text('fill.away'), act: () => actions.putAway(task) }
}

function doneText({ kind, kept, title, again, refused }: Done): string {
  if (again) return text('fill.down_again', { title, reason: again.reason })
  if (refused) return text(kind === 'list' ? 'fill.not_taken' : 'down.not_taken', { title })
  if (kind === 'list') return text(kept ? 'fill.kept' : 'fill.done', { title })
  return text(kept ? 'down.kept' : 'down.done', { title })
}
