import { describe, expect, it } from 'vitest'
import { createRoom } from './room.ts'

describe('the room that hashing has', () => {
  const at = { ms: 10_000 }
  const roomOf = (count: number) => createRoom(count, () => at.ms)
  const signIns = (room: ReturnType<typeof roomOf>, count: number) => {
    for (let n = 0; n < count; n++) {
      room.noteRequest()
      room.noteHash()
    }
  }

  it('is every processor while nobody wants anything else, however many sign in', () => {
    const room = roomOf(4)
    for (let second = 0; second < 5; second++) {
      signIns(room, 500)
      // A monitor asks too.
      room.noteRequest()
      expect([room.processors(), room.isShared()]).toEqual([4, false])
      at.ms += 1_000
    }
  })

  it('is one fewer while others ask for what needs no hash, and everything again a second later', () => {
    const room = roomOf(4)
    signIns(room, 100)
    for (let n = 0; n < 30; n++) {
      room.noteRequest()
      at.ms += 20
    }
    expect([room.processors(), room.isShared()]).toEqual([3, true])
    at.ms += 500
    expect([room.processors(), room.isShared()]).toEqual([3, true])
    at.ms += 600
    expect([room.processors(), room.isShared()]).toEqual([4, false])
  })

  it('is never nothing', () => {
    const room = roomOf(1)
    for (let n = 0; n < 100; n++) room.noteRequest()
    expect(room.processors()).toBe(1)
  })
})
