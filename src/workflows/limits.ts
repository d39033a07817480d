/** Every time limit and count of the Attempt workflow, each with its reason. */

const secondMs = 1_000;
const minuteMs = 60 * secondMs;

/** A worker that does not beat for so long is taken for dead: with a beat every 0.5 s, five lost ones in a row. */
export const heartbeatTimeoutMs = 3 * secondMs;

/**
 * Between a tool's or model's own limit and ours: the time to end its processes (TERM, then KILL), and to write the outcome
 * to a ledger that is away for a minute. A worker that is dead is noticed by its heartbeat, long before.
 */
export const landGraceMs = 90 * secondMs;

/** A quick action has no limit in its plan: the longest that a quick tool allows itself, which ends what hangs first. */
export const quickActTimeoutMs = 30 * secondMs;

/** A dependency layer of a large repository takes minutes; heartbeats notice a dead worker long before this. */
export const prepareTimeoutMs = 60 * minuteMs;

/** A whole test suite in a clean copy; its criterion has a limit of its own below this one. */
export const verifyTimeoutMs = 120 * minuteMs;

/** Moving a branch of a repository, over a slow network at worst. */
export const commitTimeoutMs = 10 * minuteMs;

/** One ledger transaction, behind a lock that a call in flight may hold for a few seconds. */
export const ledgerCallTimeoutMs = 30 * secondMs;

/** A settle ends processes, waits out a lease and looks once at each open effect; what is open still is for the next one. */
export const settleTimeoutMs = minuteMs;

/** `giveUp` waits until no execution is alive: a lease of 3 s, and a transaction. */
export const giveUpTimeoutMs = 60 * secondMs;

/** Executions of one number that may end without an answer before it is given up (M2). */
export const lostExecutionsMax = 3;

/**
 * A host that has a worktree takes a call at once, unless it is gone or has its hands full: by then its lease of 3 s has ended, where
 * it is gone, so that whoever is asked next can tell.
 */
export const hostTakesMs = 4 * secondMs;
/** The longest wait for a host that lives and takes nothing: somebody looks after it then, and one look a minute fills no history. */
export const hostTakesMaxMs = minuteMs;

/** Wait before a lost execution is repeated, after the first: a dead worker's successor is there at once or in a moment. */
export const lostExecutionPauseMs = secondMs;
/** A call that is never given up is repeated ever more slowly, so that a bug in it fills no history. */
export const lostExecutionPauseMaxMs = minuteMs;

/**
 * An unreachable ledger is asked again after a tenth of the time that it has been away, so that an outage of any length
 * costs few events and recovery adds at most a tenth to it.
 */
export const outageShare = 0.1;
/** The first pause: a ledger that restarts is back within seconds. */
export const outagePauseMinMs = 500;
/** The longest: a ledger that was away for hours is noticed this soon after it is back. */
export const outagePauseMaxMs = 5 * minuteMs;
/** Part of the wait that is drawn at random, so that attempts that lost the ledger together do not return together. */
export const outageJitter = 0.2;

/** Part of a wait that is drawn at random, so that attempts that met the same trouble do not look together. */
export const waitJitter = 0.25;

/** The first wait between two looks at an effect: what was lost on the way is mostly there a second later. */
export const reconcilePauseMinMs = secondMs;
/** The longest: a person is asked when the looks are used up, so a longer wait would only keep that person waiting. */
export const reconcilePauseMaxMs = 30 * secondMs;
/**
 * Looks at one action's effect before a person is asked, at least: with the waits between them half a minute, in which most
 * systems have recovered. Counted over the action's life, sends between them or not.
 */
export const reconcileLooksMin = 6;

/** While a person is asked: a late answer of the send itself comes within the tool's limit, mostly half a minute. */
export const reconcileAskMinMs = 30 * secondMs;
/** Nothing but a person settles it then, and that one's message wakes the attempt; one look an hour fills no history. */
export const reconcileAskMaxMs = 60 * minuteMs;

/** A request that has expired and cannot be left by this worker: the next one may be there in a moment. */
export const expiredWaitMinMs = secondMs;
/** A deploy that is set right wakes nobody; one look in ten minutes fills no history. */
export const expiredWaitMaxMs = 10 * minuteMs;

/** An effect of somebody else that is in the way: often it is sent at this moment, and answered in less than a second. */
export const effectWaitMinMs = 0.5 * secondMs;
/** Whoever settles it wakes the attempt; a wake that was lost costs this long at most. */
export const effectWaitMaxMs = 5 * minuteMs;

/** A cancel that an open effect keeps from ending: the first look after it, as with any other effect that is not known. */
export const cancelPauseMinMs = secondMs;
/** Somebody waits for the cancel, and each look asks the other side once. */
export const cancelPauseMaxMs = 30 * secondMs;
/** Where only a person can tell, as long as for any other effect that a person is asked about. */
export const cancelAskMinMs = 30 * secondMs;
/** Nothing but a person settles it then, and their message wakes the attempt. */
export const cancelAskMaxMs = 60 * minuteMs;

/** Summaries that are asked for before a projection is made without one: the first, and two more where it was of no use (R13.4). */
export const summaryTriesMax = 3;

/** Local calls in one workflow task: more would make a lost task costly to decide again. */
export const localBurstMax = 64;
/** A timer of any length ends the workflow task, and so writes down what the burst has done. */
export const burstBreakMs = 1;

/** A run has at most 2,000 updates, by Temporal's limit; those that come before it has continued as new need room. */
export const updatesPerRunMax = 1_500;
/** Of Temporal's 10,000: half, since a flood of signals goes on while the run ends. */
export const signalsPerRunMax = 5_000;

/**
 * A pause that may last so long begins in a run of its own where workers have versions: a deploy keeps the old workers for
 * about this time, so a shorter one is over before they go.
 */
export const upgradeWaitMs = 10 * minuteMs;

/** Queued messages that one call brings along; the rest goes with the calls after it, so that no payload grows with a flood. */
export const messagesPerCallMax = 64;
/** Typed text that one call or one continue-as-new brings along: the longest message, and room for short ones. */
export const typedBytesPerCallMax = 24 * 1024;

/** Signal and tool names come from outside and are cut to so many characters: a summary may have 200 bytes. */
export const shownNameMax = 48;
/** The reason of a refusal, in characters: enough to correct the message by. */
export const shownWhyMax = 300;
