import { parseEmail } from '#server/accounts/contact/parse-email.ts'
import { sendVerification } from '#server/accounts/email-verification/verify-email.ts'
import { admitByOperator } from '#server/accounts/registration/admit.ts'
import { createUser } from '#server/accounts/sign-in/create-user.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { randomBase62 } from '#shared/identity.ts'
import type { AdminCommand } from './command.ts'

export const userCreate: AdminCommand = {
  name: 'user create',
  usage: ['--email E --yes', 'makes an account, wherever registration is closed, and shows its password'],
  async run({ services, options, confirm }) {
    if (options.email === undefined) throw new Error('Name the address: --email seller@example.com.')
    const email = parseEmail(options.email)
    confirm(`This makes an account for ${email}.`)
    // The digit is for the policy of passwords.
    const password = `${randomBase62(20)}7`
    const password_hash = await services.passwords.hash(password)
    const { user, is_owner } = await transaction(services.db, 'create-user', async (tx) => {
      const admission = await admitByOperator(tx)
      const user = await createUser(services, tx, { email, first_name: '', last_name: '', password_hash }, admission)
      await sendVerification(services, tx, { user_id: user.id, email })
      return { user, ...admission }
    })
    return {
      json: { id: user.id, email, password, is_owner },
      words: `${email} is account ${user.id}${is_owner ? ', and owns this server' : ''}. Its password: ${password}`,
      changed: `user ${user.id}`,
    }
  },
}
