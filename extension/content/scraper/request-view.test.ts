import { describe, expect, it } from 'vitest'
import { MessageError } from '#extension/messaging/message-error.ts'
import type { PageView } from '#extension/messaging/page-view.ts'
import { requestView } from './request-view.ts'

const view: PageView = { show: { kind: 'sending', read: 1 }, task: null, look_again_ms: null }

/** Runs requestView with a worker that gives these answers in turn. A text is an error code. */
async function askOf(...answers: (string | PageView)[]) {
  const happened: string[] = []
  let asked = 0
  const got = await requestView({
    isValid: () => asked < answers.length,
    async ask() {
      const answer = answers[asked++]!
      if (typeof answer !== 'string') return answer
      throw new MessageError({ code: answer, message: answer, retry_after_ms: null, request_id: null })
    },
    pause: async (ms) => void happened.push(`pause ${ms}`),
    stuck: async (reason, againMs) => void happened.push(`${reason} ${againMs}`),
  })
  return { got, happened, asked }
}

describe('a page whose worker does not answer', () => {
  it('retries a dead worker silently', async () => {
    const { got, happened } = await askOf('lost', 'lost', 'lost', 'lost', 'lost', 'lost', view)
    expect(got).toBe(view)
    expect(happened).toEqual(['pause 0', 'pause 250', 'pause 500', 'pause 1000', 'pause 2000', 'pause 2000'])
  })

  it.each(['no_room', 'internal'])('shows a lasting failure (%s) and retries rarely', async (code) => {
    const { got, happened } = await askOf(code, code, code, code, view)
    expect(got).toBe(view)
    expect(happened).toEqual(['pause 0', 'pause 250', `${code} 60000`, `${code} 60000`])
  })

  it('hides a single failure among lost workers', async () => {
    const { happened } = await askOf('internal', 'lost', 'internal', 'internal', 'lost', 'internal', view)
    expect(happened.every((one) => one.startsWith('pause'))).toBe(true)
  })

  it('stops after an update of the extension', async () => {
    expect(await askOf('refused_message', view)).toEqual({ got: null, happened: [], asked: 1 })
  })
})
