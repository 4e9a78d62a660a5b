import { expect, it } from 'vitest'
import { createTurns } from './turns.ts'

/** A look that ends when the test says so. */
function slowLooks(answers: boolean[] = []) {
  const ends: (() => void)[] = []
  let looks = 0
  const turns = createTurns(
    async () => {
      looks++
      await new Promise<void>((resolve) => ends.push(resolve))
      return answers.shift() ?? true
    },
    () => true,
  )
  return { turns, looks: () => looks, end: () => ends.shift()?.() }
}

it('looks once more for all events during a look', async () => {
  const { turns, looks, end } = slowLooks()
  const first = turns.look()
  await Promise.all([turns.look(), turns.look()])
  expect(looks()).toBe(1)
  end()
  await expect.poll(looks).toBe(2)
  end()
  await first
  expect(looks()).toBe(2)
})

it('refuses other work during a look', async () => {
  const { turns, end } = slowLooks()
  const first = turns.look()
  let ran = false
  await turns.run(async () => {
    ran = true
  })
  expect(ran).toBe(false)
  end()
  await first
})

it('looks after work that an event came into', async () => {
  const { turns, looks, end } = slowLooks()
  const work = turns.run(() => turns.look())
  await expect.poll(looks).toBe(1)
  end()
  await work
  expect(looks()).toBe(1)
})

it('stops looking once a look is the last', async () => {
  const { turns, looks, end } = slowLooks([false])
  const first = turns.look()
  end()
  await first
  await turns.look()
  expect(looks()).toBe(1)
})
