import { configureGlobal } from 'fast-check'
import { campaignSeed } from './campaign.ts'

// Properties are tried on the same values at every run, so that a commit has one verdict.
configureGlobal({ seed: campaignSeed })
