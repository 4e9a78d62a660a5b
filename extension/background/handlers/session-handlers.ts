import { parseServerAddress } from '#extension/messaging/server-address.ts'
import { HapaxError } from '#shared/client/error.ts'
import type { WorkerContext } from '../context.ts'
import { signIn, signOut } from '../session/account.ts'
import { signInByKey, signInByPassword, signInBySecondFactor } from '../session/sign-in.ts'
import { KnownError } from '../wire-error.ts'
import type { PopupHandlers } from './answer-page.ts'

type SessionHandlers = Pick<PopupHandlers, 'popup.signIn' | 'popup.secondStep' | 'popup.signInByKey' | 'popup.signOut'>

/** Handlers that sign in and out. */
export function sessionHandlers(context: WorkerContext): SessionHandlers {
  return {
    async 'popup.signIn'({ server, email, password }) {
      try {
        const { session, tokenEnded } = await signInByPassword({ server: address(server), email, password }, context)
        await signIn(context, session)
        return { tokenEnded }
      } catch (error) {
        if (error instanceof HapaxError && error.signinToken !== null) return { signin_token: error.signinToken }
        throw error
      }
    },

    async 'popup.secondStep'({ server, signin_token, code }) {
      const { session, tokenEnded } = await signInBySecondFactor(
        { server: address(server), signin_token, code },
        context,
      )
      await signIn(context, session)
      return { tokenEnded }
    },

    async 'popup.signInByKey'({ server, key }) {
      await signIn(context, await signInByKey({ server: address(server), key }, context))
      return null
    },

    async 'popup.signOut'() {
      return { keyEnded: await signOut(context) }
    },
  }
}

function address(text: string): string {
  const server = parseServerAddress(text)
  if (!server) throw new KnownError('bad_address', 'Enter a server address that starts with https.')
  return server
}
