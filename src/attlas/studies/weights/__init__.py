"""What studies of weights share: how much do heads put on chosen tokens?"""
