"""People in seats: invitations, joining, the open turn, moves, presence, the page of a seat."""
