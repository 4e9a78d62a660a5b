import { z } from 'zod'
import {
  type AnswerOf,
  type Envelope,
  type PageRequestName,
  type PopupRequestName,
  pageRequests,
  popupRequests,
} from '#extension/messaging/protocol.ts'
import type { ScrapePlatform } from '#extension/platforms/port.ts'
import { platformAt } from '#extension/platforms/registry.ts'
import { KnownError, wireError } from '../wire-error.ts'

/** Sender of a message as the browser reports it. Messages cannot forge it. */
export interface Sender {
  id?: string | undefined
  url?: string | undefined
  frameId?: number | undefined
  tab?: { id?: number | undefined } | undefined
}

/** The marketplace page that a content script runs in. */
export interface PageSender {
  platform: ScrapePlatform
  tab: number
}

export type PageHandlers = {
  [Name in PageRequestName]: (
    request: z.output<(typeof pageRequests)[Name]>,
    page: PageSender,
  ) => Promise<AnswerOf<Name>>
}
export type PopupHandlers = {
  [Name in PopupRequestName]: (request: z.output<(typeof popupRequests)[Name]>) => Promise<AnswerOf<Name>>
}

const Message = z.strictObject({ name: z.string(), request: z.unknown() })

/**
 * Handles a message and returns its answer or error. Only extension pages reach the popup's handlers. Only the top
 * frame of a known platform reaches the page handlers. Requests must match their schema. `own.pages`: URL prefix of
 * extension pages, with its slash.
 */
export async function answer(
  message: unknown,
  sender: Sender,
  own: { id: string; pages: string },
  handlers: { page: PageHandlers; popup: PopupHandlers },
): Promise<Envelope<unknown>> {
  try {
    const { name, request } = refuseUnless(Message.safeParse(message))
    if (sender.id !== own.id) throw refusal()
    if (isOwn(popupRequests, name)) {
      if (!sender.url?.startsWith(own.pages)) throw refusal()
      return { ok: true, value: await callPopup(handlers.popup, name, request) }
    }
    if (isOwn(pageRequests, name)) return { ok: true, value: await callPage(handlers.page, name, request, sender) }
    throw refusal()
  } catch (error) {
    return { ok: false, error: wireError(error) }
  }
}

/** Answers a request of the web app's page, which runs in the same process. */
export async function answerPage(name: string, request: unknown, handlers: PopupHandlers): Promise<Envelope<unknown>> {
  try {
    if (!isOwn(popupRequests, name)) throw refusal()
    return { ok: true, value: await callPopup(handlers, name, request) }
  } catch (error) {
    return { ok: false, error: wireError(error) }
  }
}

function callPopup<Name extends PopupRequestName>(handlers: PopupHandlers, name: Name, request: unknown) {
  const schema: z.ZodType<z.output<(typeof popupRequests)[Name]>> = popupRequests[name] as never
  return handlers[name](refuseUnless(schema.safeParse(request)))
}

function callPage<Name extends PageRequestName>(handlers: PageHandlers, name: Name, request: unknown, sender: Sender) {
  const schema: z.ZodType<z.output<(typeof pageRequests)[Name]>> = pageRequests[name] as never
  const platform = platformAt(sender.url ?? '')
  const tab = sender.tab?.id
  if (!platform || sender.frameId !== 0 || tab === undefined) throw refusal()
  return handlers[name](refuseUnless(schema.safeParse(request)), { platform, tab })
}

function isOwn<Names extends object>(names: Names, name: string): name is Extract<keyof Names, string> {
  return Object.hasOwn(names, name)
}

function refuseUnless<T>(parsed: z.ZodSafeParseResult<T>): T {
  if (!parsed.success) throw refusal()
  return parsed.data
}

function refusal(): KnownError {
  return new KnownError('refused_message', 'This sender may not send this message.')
}
