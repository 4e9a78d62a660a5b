import { z } from 'zod'

// Zod compiles parsers with eval if it can. Extension pages forbid eval and would report each attempt.
z.config({ jitless: true })
