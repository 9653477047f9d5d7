// Package coverage records which calls, answers and messages each test reaches. docs/coverage.md
// names tests for them, and is held against the records after a run. The program records nothing:
// tests do, when they are built with the tag coverage.
package coverage
