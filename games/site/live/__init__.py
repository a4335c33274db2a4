"""A run's feed to all its sockets; watching and playing by socket."""
