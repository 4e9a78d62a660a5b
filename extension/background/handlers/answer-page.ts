import type { z } from 'zod'
import { type AnswerOf, type Envelope, type PopupRequestName, popupRequests } from '#extension/messaging/protocol.ts'
import { KnownError, wireError } from '../wire-error.ts'

export type PopupHandlers = {
  [Name in PopupRequestName]: (request: z.output<(typeof popupRequests)[Name]>) => Promise<AnswerOf<Name>>
}

/** Answers a request of our own pages. Requests must match their schema. */
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

export function isOwn<Names extends object>(names: Names, name: string): name is Extract<keyof Names, string> {
  return Object.hasOwn(names, name)
}

/** Returns what was parsed. Throws `refused_message` if it does not match. */
export function refuseUnless<T>(parsed: z.ZodSafeParseResult<T>): T {
  if (!parsed.success) throw refusal()
  return parsed.data
}

export function refusal(): KnownError {
  return new KnownError('refused_message', 'This sender may not send this message.')
}
