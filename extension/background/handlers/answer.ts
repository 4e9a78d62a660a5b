import { z } from 'zod'
import {
  type AnswerOf,
  type Envelope,
  type PageRequestName,
  pageRequests,
  popupRequests,
} from '#extension/messaging/protocol.ts'
import { addressesAt } from '#extension/platforms/addresses.ts'
import type { ScrapePlatform } from '#extension/platforms/port.ts'
import { scrapePlatformOf } from '#extension/platforms/registry.ts'
import { wireError } from '../wire-error.ts'
import { answerPage, isOwn, type PopupHandlers, refusal, refuseUnless } from './answer-page.ts'

/** Sender of a message as the browser reports it. Messages cannot forge it. */
export interface Sender {
  id?: string | undefined
  url?: string | undefined
  frameId?: number | undefined
  tab?: { id?: number | undefined; url?: string | undefined } | undefined
}

/** The marketplace page that a content script runs in. */
export interface PageSender {
  platform: ScrapePlatform
  tab: number
  /** The address that the tab shows, if the browser tells. */
  url?: string | undefined
}

export type PageHandlers = {
  [Name in PageRequestName]: (
    request: z.output<(typeof pageRequests)[Name]>,
    page: PageSender,
  ) => Promise<AnswerOf<Name>>
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
      return await answerPage(name, request, handlers.popup)
    }
    if (isOwn(pageRequests, name)) return { ok: true, value: await callPage(handlers.page, name, request, sender) }
    throw refusal()
  } catch (error) {
    return { ok: false, error: wireError(error) }
  }
}

function callPage<Name extends PageRequestName>(handlers: PageHandlers, name: Name, request: unknown, sender: Sender) {
  const schema: z.ZodType<z.output<(typeof pageRequests)[Name]>> = pageRequests[name] as never
  const slug = addressesAt(sender.url ?? '')?.slug
  const platform = slug && scrapePlatformOf(slug)
  const tab = sender.tab?.id
  if (!platform || sender.frameId !== 0 || tab === undefined) throw refusal()
  return handlers[name](refuseUnless(schema.safeParse(request)), { platform, tab, url: sender.tab?.url })
}
