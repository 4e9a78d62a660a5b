import { type Room, screen } from '../shell/room.tsx'

export const accountRoom: Room = {
  // The web app brings the account's screen.
  screens: [screen({ name: 'account', keepsScans: true, show: (_, { parts }) => parts.account })],
}
